package chat

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// The languages of everything that the person reads: failures, notices, markers. Anything else counts as English.
const (
	English  = "en"
	Japanese = "ja"
	Korean   = "ko"
)

// The notices that transports and the session give. A Sink takes one of these, or plain words.
const (
	NoticeNoTools   = "notice.no_tools"   // the model takes no tools
	NoticeChainLost = "notice.chain_lost" // the server has forgotten the conversation
	NoticeCallText  = "notice.call_text"  // the model wrote its call as text
	NoticeNoImages  = "notice.no_images"  // the model takes no pictures
	NoticeFresh     = "notice.fresh"      // what a server refuses again and again is left out from now on
	NoticeNoRoom    = "notice.no_room"    // the turn's pictures did not fit and were left out
	NoticeUnkept    = "notice.unkept"     // the transcript did not take the turn
)

// Why an answer is empty.
const (
	noticeLimit       = "notice.limit"
	noticeFiltered    = "notice.filtered"
	noticeActed       = "notice.acted"
	noticeThoughts    = "notice.thoughts"
	noticeUnknownTool = "notice.unknown_tool"
	noticeEmpty       = "notice.empty"
)

// phrase is one sentence in the three languages. In it {host}, {model}, {status} and {wait} are filled in.
type phrase struct{ en, ja, ko string }

func (p phrase) in(language string) string {
	switch language {
	case Japanese:
		return p.ja
	case Korean:
		return p.ko
	}
	return p.en
}

var noticeWords = map[string]phrase{
	NoticeNoTools: {
		"This model takes no tools, so the pet can talk but not act: choose a model with tool calling to change that.",
		"このモデルはツールを使えないので、話すことはできても動くことはできません。ツール呼び出しに対応したモデルを選んでください。",
		"이 모델은 도구를 쓸 수 없어 말은 해도 움직이지는 못합니다. 도구 호출을 지원하는 모델을 고르세요.",
	},
	NoticeChainLost: {
		"The chat server no longer has this conversation, so the pet does not remember what was said before.",
		"チャットサーバーにこれまでの会話が残っていないので、前の話は覚えていません。",
		"대화 서버에 지금까지의 대화가 남아 있지 않아 이전 이야기는 기억하지 못합니다.",
	},
	NoticeNoRoom: {
		"The picture did not go along: it is too large for this connection.",
		"画像は送れませんでした。この接続には大きすぎます。",
		"그림은 함께 보내지 못했습니다. 이 연결에는 너무 큽니다.",
	},
	NoticeNoImages: {
		"This model takes no pictures, so it was asked without them: choose a model that can see to show it something.",
		"このモデルは画像を受け取れないので、画像なしで尋ねました。見せるには画像に対応したモデルを選んでください。",
		"이 모델은 그림을 받지 못해 그림 없이 물었습니다. 보여 주려면 그림을 볼 수 있는 모델을 고르세요.",
	},
	noticeLimit: {
		"The answer reached the model's limit before anything was said: allow it more tokens, or less reasoning.",
		"何も話さないうちに、返事がモデルの上限に達しました。トークン数の上限を上げるか、推論を減らしてください。",
		"아무 말도 하기 전에 답이 모델의 한도에 이르렀습니다. 토큰 한도를 늘리거나 추론을 줄이세요.",
	},
	noticeFiltered: {
		"The chat server's content filter kept the answer back.",
		"チャットサーバーのコンテンツフィルターが返事を止めました。",
		"대화 서버의 내용 필터가 답을 막았습니다.",
	},
	noticeActed: {
		"The model used its tools and then said nothing: ask again.",
		"モデルはツールを使っただけで、何も言いませんでした。もう一度話しかけてください。",
		"모델이 도구만 쓰고 아무 말도 하지 않았습니다. 다시 말해 주세요.",
	},
	noticeThoughts: {
		"The model only thought and said nothing: ask again.",
		"モデルは考えただけで、何も言いませんでした。もう一度話しかけてください。",
		"모델이 생각만 하고 아무 말도 하지 않았습니다. 다시 말해 주세요.",
	},
	noticeUnknownTool: {
		`The model asked for the tool "{tool}", which nobody here has, and said nothing.`,
		"モデルは「{tool}」というツールを求めましたが、ここには誰も持っていません。ほかには何も言いませんでした。",
		`모델이 "{tool}" 도구를 찾았지만 여기에는 아무도 가지고 있지 않고, 다른 말은 없었습니다.`,
	},
	noticeEmpty: {
		"The model's answer was empty: ask again.",
		"モデルの返事が空でした。もう一度話しかけてください。",
		"모델의 답이 비어 있었습니다. 다시 말해 주세요.",
	},
	NoticeCallText: {
		"The model wrote its tool call as plain text, so nothing was done: its server needs a tool-call parser for this model.",
		"モデルがツール呼び出しを文章として書いたため、何も実行していません。サーバー側でこのモデル用のツール解析を有効にしてください。",
		"모델이 도구 호출을 글로 적어 아무것도 실행하지 않았습니다. 서버에서 이 모델용 도구 호출 해석을 켜 주세요.",
	},
	NoticeUnkept: {
		"The database takes nothing just now (another program may keep it locked, or the disk is full), so what was said is not kept yet: it is tried again with the next turn.",
		"いまはデータベースに書き込めません（ほかのプログラムがロックしているか、ディスクがいっぱいです）。話したことはまだ保存されていないので、次の会話でもう一度試します。",
		"지금은 데이터베이스에 쓸 수 없습니다(다른 프로그램이 잠갔거나 디스크가 가득 찼습니다). 나눈 이야기가 아직 저장되지 않아 다음 대화 때 다시 시도합니다.",
	},
	NoticeFresh: {
		"The chat server refuses what was said before, so the pet starts afresh; the transcript is kept.",
		"チャットサーバーがこれまでの会話を受け付けないので、新しく始めます。記録は残っています。",
		"대화 서버가 이전 대화를 받아들이지 않아 새로 시작합니다. 기록은 남아 있습니다.",
	},
}

// notice gives a notice its words; what is no key is words already.
func notice(text, language string) string {
	if p, ok := noticeWords[text]; ok {
		return p.in(language)
	}
	return text
}

// The sentences that two reasons have in two forms.
const (
	modelMissing Reason = "model_missing"     // UnknownModel without a model
	limitedUntil Reason = "rate_limited_wait" // RateLimited with a time
	failedUntil  Reason = "server_failed_wait"
)

var failureWords = map[Reason]phrase{
	NoServer: {
		`No chat server is set up: set base_url under [chat] in the config, or api = "companion".`,
		`チャットサーバーが設定されていません。設定の [chat] に base_url を書くか、api = "companion" にしてください。`,
		`대화 서버가 설정되지 않았습니다. 설정의 [chat]에 base_url을 적거나 api = "companion"으로 하세요.`,
	},
	BadAddress: {
		"The address of the chat server does not read as one: correct base_url under [chat] in the config.",
		"チャットサーバーのアドレスが正しくありません。設定の [chat] にある base_url を直してください。",
		"대화 서버의 주소가 올바르지 않습니다. 설정 [chat]의 base_url을 고치세요.",
	},
	Unreachable: {
		"Nobody answers at {host}: check that the server runs, that base_url is right and that the network is up.",
		"{host} から応答がありません。サーバーが動いているか、base_url が正しいか、ネットワークを確かめてください。",
		"{host}에서 응답이 없습니다. 서버가 켜져 있는지, base_url이 맞는지, 네트워크를 확인하세요.",
	},
	UnknownHost: {
		"The name {host} is not known: check base_url for a typing mistake, or the network.",
		"{host} という名前が見つかりません。base_url の書き間違いか、ネットワークを確かめてください。",
		"{host}(이)라는 이름을 찾을 수 없습니다. base_url의 오타나 네트워크를 확인하세요.",
	},
	BadCertificate: {
		"The certificate of {host} is not trusted: use the address that it was made for, or add its authority to the system.",
		"{host} の証明書を信頼できません。証明書どおりのアドレスを使うか、認証局をシステムに追加してください。",
		"{host}의 인증서를 신뢰할 수 없습니다. 인증서에 맞는 주소를 쓰거나 인증 기관을 시스템에 추가하세요.",
	},
	NotTLS: {
		"{host} does not speak https: write http:// in base_url, or use its secure port.",
		"{host} は https に対応していません。base_url を http:// で始めるか、暗号化用のポートを使ってください。",
		"{host}은(는) https를 쓰지 않습니다. base_url을 http://로 시작하거나 보안 포트를 쓰세요.",
	},
	WantsTLS: {
		"{host} speaks https only: write https:// in base_url.",
		"{host} は https だけに対応しています。base_url を https:// で始めてください。",
		"{host}은(는) https만 씁니다. base_url을 https://로 시작하세요.",
	},
	WrongKey: {
		"{host} did not accept the key: set a valid one (YUI_CHAT_KEY or api_key).",
		"{host} がキーを受け付けませんでした。正しいキーを設定してください（YUI_CHAT_KEY か api_key）。",
		"{host}에서 키를 받아들이지 않았습니다. 올바른 키를 설정하세요(YUI_CHAT_KEY 또는 api_key).",
	},
	Forbidden: {
		"{host} refuses this key for this model or address: set another key or model, or give the key the right to it.",
		"{host} はこのキーでこのモデルやアドレスを使わせてくれません。別のキーかモデルにするか、キーに権限を与えてください。",
		"{host}에서 이 키로는 이 모델이나 주소를 쓸 수 없다고 합니다. 다른 키나 모델로 바꾸거나 키에 권한을 주세요.",
	},
	NotFound: {
		"{host} has no chat at this address: base_url should end where its API begins, often in /v1, and api must name what the server speaks.",
		"{host} のこのアドレスにはチャットがありません。base_url は API の始まり（多くは /v1）まで書き、api はサーバーの方式に合わせてください。",
		"{host}의 이 주소에는 대화 기능이 없습니다. base_url은 API가 시작되는 곳(대개 /v1)까지 적고 api는 서버 방식에 맞추세요.",
	},
	NoSocket: {
		"{host} has no Push backend at this address: base_url is what stands before its /ws, and api must name what the server speaks.",
		"{host} のこのアドレスには Push の相手がいません。base_url は /ws の前まで書き、api はサーバーの方式に合わせてください。",
		"{host}의 이 주소에는 Push 상대가 없습니다. base_url은 /ws 앞까지 적고 api는 서버 방식에 맞추세요.",
	},
	UnknownModel: {
		`{host} does not have the model "{model}": set another model under [chat] (yui doctor lists what it has).`,
		`{host} に「{model}」というモデルはありません。[chat] の model を変えてください（一覧は yui doctor で見られます）。`,
		`{host}에 "{model}" 모델이 없습니다. [chat]의 model을 바꾸세요(목록은 yui doctor에서 볼 수 있습니다).`,
	},
	modelMissing: {
		"{host} wants a model: set model under [chat] in the config (yui doctor lists what it has).",
		"{host} にはモデルの指定が必要です。[chat] に model を書いてください（一覧は yui doctor で見られます）。",
		"{host}에는 모델 지정이 필요합니다. [chat]에 model을 적으세요(목록은 yui doctor에서 볼 수 있습니다).",
	},
	TooLong: {
		"The conversation is longer than the model at {host} can take: ask again, the oldest part is left out now.",
		"会話が {host} のモデルの上限を超えました。もう一度話しかけてください。古い部分は省かれます。",
		"대화가 {host} 모델의 한도를 넘었습니다. 다시 말해 주세요. 오래된 부분은 빼고 보냅니다.",
	},
	NoImages: {
		"The model at {host} takes no pictures: ask again, they are left out now, or choose a model that can see.",
		"{host} のモデルは画像を受け取れません。もう一度話しかけてください（画像は省かれます）。見せるには画像に対応したモデルを選んでください。",
		"{host}의 모델은 그림을 받지 못합니다. 다시 말해 주세요(그림은 빼고 보냅니다). 보여 주려면 그림을 볼 수 있는 모델을 고르세요.",
	},
	SettingRefused: {
		"{host} does not take {setting} as it is set for this model: change or remove {setting} under [chat] in the config.",
		"{host} はこのモデルで設定の {setting} を受け付けません。[chat] の {setting} を変えるか消してください。",
		"{host}에서 이 모델에는 설정된 {setting} 값을 받지 않습니다. [chat]의 {setting}을(를) 바꾸거나 지우세요.",
	},
	RateLimited: {
		"{host} asks for a pause: try again later, or look at the limits of the account.",
		"{host} が混み合っています。しばらく待つか、アカウントの上限を確かめてください。",
		"{host}에서 잠시 쉬어 달라고 합니다. 나중에 다시 하거나 계정 한도를 확인하세요.",
	},
	limitedUntil: {
		"{host} asks for a pause: try again in {wait}.",
		"{host} が少し待つよう求めています。{wait} 後にもう一度どうぞ。",
		"{host}에서 잠시 쉬어 달라고 합니다. {wait} 뒤에 다시 하세요.",
	},
	Refused: {
		"{host} refused the request (HTTP {status}): its words say what to change.",
		"{host} が要求を拒みました（HTTP {status}）。直すところはサーバーの言葉にあります。",
		"{host}에서 요청을 거부했습니다(HTTP {status}). 고칠 점은 서버의 말에 있습니다.",
	},
	ServerFailed: {
		"{host} is in trouble (HTTP {status}): try again, or look at its log.",
		"{host} で問題が起きています（HTTP {status}）。もう一度試すか、サーバーのログを見てください。",
		"{host}에 문제가 생겼습니다(HTTP {status}). 다시 하거나 서버 기록을 보세요.",
	},
	failedUntil: {
		"{host} is in trouble (HTTP {status}): try again in {wait}.",
		"{host} で問題が起きています（HTTP {status}）。{wait} 後にもう一度どうぞ。",
		"{host}에 문제가 생겼습니다(HTTP {status}). {wait} 뒤에 다시 하세요.",
	},
	Redirected: {
		"{host} sends requests elsewhere: set base_url to that address.",
		"{host} は別のアドレスへ案内しています。base_url をそのアドレスにしてください。",
		"{host}에서 다른 주소로 안내합니다. base_url을 그 주소로 바꾸세요.",
	},
	NotAnAPI: {
		"{host} answered with something that is no chat answer: base_url seems to point at a web page.",
		"{host} の応答はチャットのものではありません。base_url がウェブページを指しているようです。",
		"{host}의 응답은 대화 응답이 아닙니다. base_url이 웹 페이지를 가리키는 것 같습니다.",
	},
	Garbled: {
		"The answer of {host} could not be read: check that api under [chat] names what the server speaks.",
		"{host} の応答を読み取れませんでした。[chat] の api がサーバーの方式に合っているか確かめてください。",
		"{host}의 응답을 읽을 수 없습니다. [chat]의 api가 서버 방식과 맞는지 확인하세요.",
	},
	CutOff: {
		"The connection to {host} ended before the answer did: ask again.",
		"応答の途中で {host} との接続が切れました。もう一度話しかけてください。",
		"답이 끝나기 전에 {host}와(과)의 연결이 끊겼습니다. 다시 말해 주세요.",
	},
	Stalled: {
		"{host} fell silent: ask again, or look whether the server is still working.",
		"{host} からの応答が途絶えました。もう一度話しかけるか、サーバーが動いているか見てください。",
		"{host}의 응답이 멈췄습니다. 다시 말하거나 서버가 살아 있는지 확인하세요.",
	},
	ProviderError: {
		"{host} broke the answer off with an error: its words say what to change.",
		"{host} がエラーで応答を打ち切りました。直すところはサーバーの言葉にあります。",
		"{host}에서 오류로 답을 중단했습니다. 고칠 점은 서버의 말에 있습니다.",
	},
	Other: {
		"The turn with {host} failed: ask again, or look into the log of YUI.",
		"{host} とのやり取りに失敗しました。もう一度話しかけるか、YUI のログを見てください。",
		"{host}와(과)의 대화에 실패했습니다. 다시 말하거나 YUI 기록을 보세요.",
	},
}

var someServer = phrase{"the chat server", "チャットサーバー", "대화 서버"}

// PlainIn says to the person, in one sentence of their language (en, ja, ko) with the provider's words behind it, what
// happened and what to change.
func (f *Failure) PlainIn(language string) string {
	sentence := f.sentence(language)
	if f.Detail == "" {
		return sentence
	}
	return sentence + " (" + f.Detail + ")"
}

func (f *Failure) sentence(language string) string {
	reason := f.Reason
	switch {
	case reason == UnknownModel && f.Model == "":
		reason = modelMissing
	case reason == RateLimited && f.RetryAfter > 0:
		reason = limitedUntil
	case reason == ServerFailed && f.RetryAfter > 0:
		reason = failedUntil
	}
	words, ok := failureWords[reason]
	if !ok {
		words = failureWords[Other]
	}
	host := f.Host
	if host == "" {
		host = someServer.in(language)
	}
	sentence := strings.NewReplacer("{host}", host, "{model}", f.Model, "{setting}", f.Setting, "{status}", strconv.Itoa(f.Status),
		"{wait}", fmt.Sprint(f.RetryAfter.Round(time.Second))).Replace(words.in(language))
	if f.Host == "" && language != Japanese && language != Korean {
		sentence = strings.ToUpper(sentence[:1]) + sentence[1:]
	}
	return sentence
}

// markers are the user content of turns that nobody typed: what happened, from the person's side, never how to react.
// A name that ends in a dot or an underscore stands for its family. {names} is filled in.
var markers = map[string]phrase{
	"proactive.tap_bored":           {"(The user has tapped you several times in a row.)", "（ユーザーが続けて何度もあなたをつついた。）", "(사용자가 당신을 연달아 여러 번 톡톡 쳤다.)"},
	"proactive.head_pat":            {"(The user is patting your head.)", "（ユーザーがあなたの頭をなでている。）", "(사용자가 당신의 머리를 쓰다듬고 있다.)"},
	"proactive.drag_held":           {"(The user has picked you up and is holding you in the air.)", "（ユーザーがあなたを持ち上げて、そのまま抱えている。）", "(사용자가 당신을 들어 올려 그대로 들고 있다.)"},
	"proactive.window_sit":          {"(You have just been set down on the edge of a window.)", "（あなたはいま、ウィンドウの縁に座らされた。）", "(당신은 방금 창 가장자리에 앉혀졌다.)"},
	"proactive.peek":                {"(You have just been tucked behind the side of a window.)", "（あなたはいま、ウィンドウの横に隠された。）", "(당신은 방금 창 옆에 숨겨졌다.)"},
	"proactive.dropped":             {"(The user let go of you and you fell.)", "（ユーザーが手を離し、あなたは落ちた。）", "(사용자가 손을 놓아 당신은 떨어졌다.)"},
	"proactive.screen_app_switched": {"(The user has moved on to another application.)", "（ユーザーが別のアプリに移った。）", "(사용자가 다른 앱으로 옮겨 갔다.)"},
	"proactive.screen_long_session": {"(The user has been in the same application for a long time.)", "（ユーザーは長いあいだ同じアプリを使っている。）", "(사용자가 오랫동안 같은 앱을 쓰고 있다.)"},
	"agent.done":                    {"(A program that works for the user has finished.)", "（ユーザーのために働くプログラムが終わった。）", "(사용자를 위해 일하는 프로그램이 끝났다.)"},
	"agent.needs_input":             {"(A program that works for the user is waiting for an answer.)", "（ユーザーのために働くプログラムが返事を待っている。）", "(사용자를 위해 일하는 프로그램이 답을 기다리고 있다.)"},
	"agent.catchup":                 {"(Meanwhile, programs that work for the user have reported: {names}.)", "（その間に、ユーザーのために働くプログラムから知らせがあった：{names}。）", "(그동안 사용자를 위해 일하는 프로그램들이 소식을 보냈다: {names}.)"},
	"signals.push":                  {"(A signal has arrived.)", "（知らせが一つ届いた。）", "(신호가 하나 도착했다.)"},
	"signals.batch":                 {"(Several signals have arrived together.)", "（知らせがいくつかまとめて届いた。）", "(신호 여러 개가 함께 도착했다.)"},
	"signals.catchup":               {"(Meanwhile, signals have arrived.)", "（その間に、知らせが届いていた。）", "(그동안 신호가 도착했다.)"},
	"time_milestone.first_activity": {"(The user has just sat down at the computer for the first time today.)", "（ユーザーが今日はじめてパソコンの前に座った。）", "(사용자가 오늘 처음으로 컴퓨터 앞에 앉았다.)"},
	"proactive.touch_":              {"(The user is touching you.)", "（ユーザーがあなたに触れている。）", "(사용자가 당신을 만지고 있다.)"},
	"proactive.":                    {"(Nobody has said anything for a while.)", "（しばらく誰も話していない。）", "(한동안 아무도 말하지 않았다.)"},
	"schedule.":                     {"(A time of the day that you keep has come.)", "（あなたが決めている時刻になった。）", "(당신이 챙기는 시각이 되었다.)"},
	"":                              {"(Something has happened on the desktop.)", "（デスクトップで何かが起きた。）", "(데스크톱에서 무언가 일어났다.)"},
}

// maxName and maxNames bound whom a marker names (docs/rules/chat.md#context-lines).
const (
	maxName  = 40
	maxNames = 8
)

// marker gives the line for an event, by its family where it has none of its own. names are filled in where it names
// anybody.
func marker(event, language string, names ...string) string {
	return strings.ReplaceAll(markerOf(event).in(language), "{names}", listNames(names))
}

func markerOf(event string) phrase {
	if m, ok := markers[event]; ok {
		return m
	}
	for _, family := range []string{"proactive.touch_", "proactive.", "schedule."} {
		if strings.HasPrefix(event, family) {
			return markers[family]
		}
	}
	return markers[""]
}

// listNames joins foreign names, each clamped; brackets of their own cannot end the marker.
func listNames(names []string) string {
	var list []string
	for _, n := range names {
		if n = strings.Trim(cleanTo(n, maxName), "()[]（）"); n == "" {
			continue
		}
		if len(list) == maxNames {
			list[maxNames-1] = "…"
			break
		}
		list = append(list, n)
	}
	if len(list) == 0 {
		return "…"
	}
	return strings.Join(list, ", ")
}
