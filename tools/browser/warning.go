package browser

// Warning is what the person reads when they turn the browser switch on for the first time (docs/tools.md#browser), in the
// language "en", "ja" or "ko"; English for any other.
func Warning(language string) string {
	switch language {
	case "ja":
		return "ブラウザを使えるようにすると、会話の相手のモデルが書いたプログラムが、このコンピューターであなたと同じ権限で動きます。ファイルを読み、ほかのプログラムを動かし、ego lite の YUI プロファイルでログインしているすべてのサイトに入れます。囲いはありません。モデルは開いたページの言葉に動かされることもあります。信頼できるときだけオンにしてください。"
	case "ko":
		return "브라우저를 켜면 대화하는 모델이 쓴 프로그램이 이 컴퓨터에서 당신과 같은 권한으로 실행됩니다. 파일을 읽고, 다른 프로그램을 실행하고, ego lite의 YUI 프로필에 로그인된 모든 사이트에 들어갈 수 있습니다. 격리 장치는 없습니다. 모델은 열어 본 페이지의 말에 휘둘릴 수도 있습니다. 믿을 수 있을 때만 켜세요."
	}
	return "With the browser on, the model that you talk to runs programs that it writes, on this computer and with your rights. They can read your files, start other programs, and reach every site that you are signed in to in ego lite's YUI profile. There is no sandbox. What a page says can sway the model, too. Turn it on only where you trust it."
}
