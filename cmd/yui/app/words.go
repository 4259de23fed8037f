package app

import (
	"fmt"

	"yui/overlay/ui"
	"yui/store"
)

// wording is the program's own words in one language.
type wording struct {
	hint, stop, more string
	searched         string // before what is searched for
	toolsSay, close  string // a link to what a server's tools say of themselves, and its end
	// tools are the phrases of the status pill: while it runs, and when it is done.
	running, done    map[string]string
	notSent          string
	show, hide       string
	presets          string
	relations        string
	relationsOf      string
	browser          string
	look             string
	camera           string
	first            string // the switch for speaking first
	reset            string
	settings         string
	newTalk          string
	quit             string
	bands            map[string]string
	damaged          string
	closed           string           // the database %s, for the reason %s
	full             string           // the database %s takes nothing, for the reason %s
	causes           map[error]string // of both, by store.Cause
	mistake          string           // what %s is wrong in the settings, at the start
	notTaken         string           // while she runs
	cannotStart      string           // the title of a notification
	askDoctor        string           // its last line
	noEditor         string
	panel            ui.RelationsWords
	gone             string // behind the name of a deleted character
	cast             ui.PresetsWords
	newcomer         string // the name of a new character
	builtIn          string
	inClothes        string // of the character that %s is
	ownBackend       string
	unconfirmed      string // of a card's persona
	badBackend       string // before what is no address
	today, yesterday string
	leftOut          string // %d places of a model, the first of which is %s
	unopened         string // %s, whose model the last run did not outlive
	crashed          string // %s is the report of the run before
	tooSlow          string // the model of %s, a frame of which takes %d milliseconds
	by, license      string // who made a model, and its terms, each with a place for it
	dayMonth         string // how a day of this year is written, in the notation of package time
}

var english = wording{
	hint: "Say something…", stop: "Stop", more: "read on", searched: "Searched for: ", toolsSay: "What its tools say of themselves", close: "Close",
	running: map[string]string{"look": "looking around", "body_action": "on the move", "browser": "in the browser", "web_search": "searching the web",
		"see_camera": "looking through the camera", "show_effect": "celebrating", "discord_share": "sharing on Discord",
		"rate_relation": "thinking about us", "address_character": "turning to somebody", "": "busy with "},
	done: map[string]string{"look": "looked around", "body_action": "moved", "browser": "used the browser", "web_search": "searched the web",
		"see_camera": "looked through the camera", "show_effect": "celebrated", "discord_share": "shared on Discord",
		"rate_relation": "thought about us", "address_character": "turned to somebody", "": "done with "},
	notSent: "not sent", show: "Show %s", hide: "Hide %s", presets: "Presets", relations: "Relations", relationsOf: "Relations…",
	browser: "Browser", look: "Screen look", camera: "Camera", first: "Speaks first", reset: "Reset position", settings: "Settings…", newTalk: "New conversation", quit: "Quit",
	bands: map[string]string{"hostile": "hostile", "cold": "cold", "neutral": "neutral", "warm": "warm", "close": "close"},
	panel: ui.RelationsWords{Title: "Relations", You: "You", Feels: "%s feels", Toward: "toward", TowardYou: "toward you", Why: "Why", None: "Nothing has happened yet.",
		About: "What they feel changes slowly, by what really happens between you, and is kept on this computer only. A slider sets it by hand.",
		Off:   "Relations are off: nothing is told to the model and nothing changes. What was felt is kept."},
	cast: ui.PresetsWords{Title: "Characters", New: "New character", Rename: "Rename", Save: "Save", Duplicate: "Duplicate", Edit: "Edit…",
		Delete: "Delete", Reset: "Reset", Sure: "%s: are you sure?", Keep: "Keep", Size: "Size",
		Hint: "The switch brings one to the desktop. Drop a VRM model or a character card on any of them to take it in; Edit… has persona, voice and backend.",
		Edits: ui.PresetEditWords{Looks: "Looks", Persona: "Persona", Voice: "Tone of voice", VoiceHint: "soft and a little sleepy", Backend: "Backend", Shared: "shared; or http://… of her own",
			Model: "Model", ModelHint: "as the server names it", File: "Open file…", Cancel: "Cancel", Card: "A card brought these words. Until you have looked over them she asks before she uses the browser.", Right: "Looks right"}},
	newcomer: "Newcomer", builtIn: "bundled", inClothes: "in %s's clothes", ownBackend: "own backend", unconfirmed: "from a card: look her over in Edit…", badBackend: "This is no address of a backend",
	gone: "(gone)", today: "today", yesterday: "yesterday", dayMonth: "2 Jan",
	leftOut: "%d parts of my model could not be read: %s", by: "by %s", license: "licence: %s",
	unopened: "%s stays closed: I ended while her model was being opened. Characters… opens her again.",
	crashed:  "The last time I ended by a fault of mine. What happened is written in %s; nothing that we said is in it.",
	tooSlow:  "The model of %s is taken off: one picture of it takes this computer %d milliseconds, and all else would wait for it. A simpler model is needed.",
	closed:   "I cannot use my database %s, so I know nothing of before, and nothing of now is kept. %s Then start me again.",
	full:     "My database %s takes nothing just now. %s",
	causes: map[error]string{
		store.ErrLocked: "Another program keeps it locked: close that program.", store.ErrNewer: "A newer YUI has written it: use the newer one.",
		store.ErrReadOnly: "It cannot be written: give yourself the right to write to it and to its folder.",
		store.ErrFull:     "The disk is full: make room on it.", store.ErrDamaged: "It is damaged: quit me and start me again, and I put it aside.",
	},
	mistake:     "My settings have mistakes, and I go on without them:\n%s\nMend them (Settings… in my menu opens config.toml), then quit me and start me again.",
	notTaken:    "My settings have mistakes, so I keep to the old ones:\n%s",
	cannotStart: "YUI cannot start", askDoctor: "In a terminal, yui doctor says what to mend.",
	damaged:  "Your YUI database was damaged. The old file is kept beside the new one as ",
	noEditor: "No program here opens my settings. They are in this file: ",
}

var japanese = wording{
	hint: "話しかける…", stop: "止める", more: "続きを読む", searched: "検索: ", toolsSay: "ツールの説明を見る", close: "閉じる",
	running: map[string]string{"look": "見回しています", "body_action": "移動しています", "browser": "ブラウザを使っています", "web_search": "検索しています",
		"see_camera": "カメラを見ています", "show_effect": "お祝いしています", "discord_share": "Discord に共有しています",
		"rate_relation": "気持ちを考えています", "address_character": "話しかけています", "": "使っています: "},
	done: map[string]string{"look": "見回しました", "body_action": "移動しました", "browser": "ブラウザを使いました", "web_search": "検索しました",
		"see_camera": "カメラを見ました", "show_effect": "お祝いしました", "discord_share": "Discord に共有しました",
		"rate_relation": "気持ちを考えました", "address_character": "話しかけました", "": "使いました: "},
	notSent: "未送信", show: "%s を表示", hide: "%s を隠す", presets: "プリセット", relations: "関係", relationsOf: "関係を見る…",
	browser: "ブラウザ", look: "画面を見る", camera: "カメラ", first: "自分から話す", reset: "位置を戻す", settings: "設定…", newTalk: "新しい会話", quit: "YUI を終了",
	bands: map[string]string{"hostile": "敵対", "cold": "冷たい", "neutral": "ふつう", "warm": "あたたかい", "close": "親しい"},
	panel: ui.RelationsWords{Title: "関係", You: "あなた", Feels: "%s の気持ち", Toward: "→", TowardYou: "あなたへ", Why: "理由", None: "まだ何もありません。",
		About: "気持ちは実際の出来事で少しずつ変わり、このコンピューターだけに残ります。スライダーで直接決めることもできます。",
		Off:   "関係はオフです。モデルには伝えられず、何も変わりません。これまでの気持ちは残ります。"},
	cast: ui.PresetsWords{Title: "キャラクター", New: "新しいキャラクター", Rename: "名前を変える", Save: "保存", Duplicate: "複製", Edit: "編集…",
		Delete: "削除", Reset: "元に戻す", Sure: "%s：よろしいですか？", Keep: "やめる", Size: "大きさ",
		Hint: "スイッチでデスクトップに出せます。VRM モデルやキャラクターカードは、誰かの上にドロップすると仲間になります。編集… では性格・声・接続先を変えられます。",
		Edits: ui.PresetEditWords{Looks: "すがた", Persona: "性格", Voice: "声の調子", VoiceHint: "やわらかく、少しねむそうに", Backend: "接続先", Shared: "共通。専用なら http://…",
			Model: "モデル", ModelHint: "サーバーでの名前", File: "ファイルを開く…", Cancel: "やめる", Card: "カードから来た文章です。確認するまで、ブラウザを使う前に毎回たずねます。", Right: "これでよい"}},
	newcomer: "新入り", builtIn: "同梱", inClothes: "%s の姿", ownBackend: "専用の接続先", unconfirmed: "カードから。編集で確認してください", badBackend: "接続先のアドレスではありません",
	gone: "(いなくなりました)", today: "今日", yesterday: "昨日", dayMonth: "1月2日",
	leftOut: "モデルの%dか所を読み取れませんでした: %s", by: "作者: %s", license: "ライセンス: %s",
	unopened: "%s は閉じたままにしています。モデルを開いている途中で YUI が終わってしまったためです。「キャラクター…」からもう一度開けます。",
	crashed:  "前回はわたしの不具合で終わってしまいました。何が起きたかは %s に書いてあります。話したことは入っていません。",
	tooSlow:  "%s のモデルは使いません。一枚描くのにこのコンピューターでは %d ミリ秒かかり、ほかの動きがみな止まってしまうためです。もっと軽いモデルにしてください。",
	closed:   "データベース %s を使えないので、前のことは何も思い出せず、いまのことも残りません。%s そのあと、もう一度起動してください。",
	full:     "いまはデータベース %s に書き込めません。%s",
	causes: map[error]string{
		store.ErrLocked: "ほかのプログラムがロックしています。そのプログラムを終了してください。", store.ErrNewer: "新しいバージョンの YUI が書いたものです。新しいほうを使ってください。",
		store.ErrReadOnly: "書き込みできません。ファイルとフォルダーに書き込み権限を付けてください。",
		store.ErrFull:     "ディスクがいっぱいです。空きを作ってください。", store.ErrDamaged: "壊れています。終了してもう一度起動すると、別の名前で残します。",
	},
	mistake:     "設定に間違いがあるので、そこは無視しています:\n%s\nメニューの「設定…」で config.toml を開けます。直したら、終了してもう一度起動してください。",
	notTaken:    "設定に間違いがあるので、前の設定のままにしています:\n%s",
	cannotStart: "YUI を起動できません", askDoctor: "端末で yui doctor を実行すると、直し方がわかります。",
	damaged:  "YUI のデータベースが壊れていました。古いファイルは残してあります: ",
	noEditor: "設定を開くプログラムが見つかりません。設定はこのファイルにあります: ",
}

var korean = wording{
	hint: "말 걸기…", stop: "멈추기", more: "더 읽기", searched: "검색: ", toolsSay: "도구의 설명 보기", close: "닫기",
	running: map[string]string{"look": "둘러보는 중", "body_action": "움직이는 중", "browser": "브라우저 사용 중", "web_search": "검색 중",
		"see_camera": "카메라 보는 중", "show_effect": "축하하는 중", "discord_share": "Discord에 공유하는 중",
		"rate_relation": "마음을 생각하는 중", "address_character": "말 거는 중", "": "사용 중: "},
	done: map[string]string{"look": "둘러봤어요", "body_action": "움직였어요", "browser": "브라우저를 썼어요", "web_search": "검색했어요",
		"see_camera": "카메라를 봤어요", "show_effect": "축하했어요", "discord_share": "Discord에 공유했어요",
		"rate_relation": "마음을 생각했어요", "address_character": "말을 걸었어요", "": "사용함: "},
	notSent: "보내지 않음", show: "%s 보이기", hide: "%s 숨기기", presets: "프리셋", relations: "관계", relationsOf: "관계 보기…",
	browser: "브라우저", look: "화면 보기", camera: "카메라", first: "먼저 말 걸기", reset: "위치 초기화", settings: "설정…", newTalk: "새 대화", quit: "YUI 종료",
	bands: map[string]string{"hostile": "적대", "cold": "차가움", "neutral": "보통", "warm": "따뜻함", "close": "가까움"},
	panel: ui.RelationsWords{Title: "관계", You: "나", Feels: "%s의 마음", Toward: "→", TowardYou: "나에게", Why: "이유", None: "아직 아무 일도 없어요.",
		About: "마음은 실제로 있었던 일에 따라 조금씩 바뀌고 이 컴퓨터에만 남습니다. 슬라이더로 직접 정할 수도 있어요.",
		Off:   "관계가 꺼져 있습니다. 모델에게 전하지 않고 아무것도 바뀌지 않습니다. 지금까지의 마음은 남아 있어요."},
	cast: ui.PresetsWords{Title: "캐릭터", New: "새 캐릭터", Rename: "이름 바꾸기", Save: "저장", Duplicate: "복제", Edit: "편집…",
		Delete: "삭제", Reset: "되돌리기", Sure: "%s: 정말 할까요?", Keep: "그만두기", Size: "크기",
		Hint: "스위치로 바탕 화면에 부를 수 있어요. VRM 모델이나 캐릭터 카드를 캐릭터 위에 놓으면 들어옵니다. 편집…에서 성격, 목소리, 백엔드를 바꿀 수 있어요.",
		Edits: ui.PresetEditWords{Looks: "모습", Persona: "성격", Voice: "목소리 톤", VoiceHint: "부드럽고 조금 졸린 듯이", Backend: "백엔드", Shared: "공용. 전용이면 http://…",
			Model: "모델", ModelHint: "서버가 부르는 이름", File: "파일 열기…", Cancel: "취소", Card: "카드에서 온 글이에요. 확인할 때까지 브라우저를 쓰기 전에 물어봐요.", Right: "이대로 좋아요"}},
	newcomer: "새 친구", builtIn: "기본 제공", inClothes: "%s 모습", ownBackend: "전용 백엔드", unconfirmed: "카드에서 옴. 편집에서 확인하세요", badBackend: "백엔드 주소가 아니에요",
	gone: "(떠남)", today: "오늘", yesterday: "어제", dayMonth: "1월 2일",
	leftOut: "모델의 %d곳을 읽지 못했습니다: %s", by: "제작: %s", license: "라이선스: %s",
	unopened: "%s은(는) 닫아 두었어요. 모델을 여는 도중에 YUI가 끝났기 때문이에요. 캐릭터…에서 다시 열 수 있어요.",
	crashed:  "지난번에는 제 오류로 꺼졌어요. 무슨 일이었는지는 %s에 적혀 있어요. 우리가 나눈 말은 들어 있지 않아요.",
	tooSlow:  "%s의 모델은 쓰지 않을게요. 이 컴퓨터에서 한 장면을 그리는 데 %d밀리초가 걸려 다른 것이 모두 멈추기 때문이에요. 더 가벼운 모델을 써 주세요.",
	closed:   "데이터베이스 %s을(를) 쓸 수 없어 이전 일은 기억하지 못하고 지금 일도 남지 않아요. %s 그런 다음 다시 시작해 주세요.",
	full:     "지금은 데이터베이스 %s에 쓸 수 없어요. %s",
	causes: map[error]string{
		store.ErrLocked: "다른 프로그램이 잠그고 있어요. 그 프로그램을 닫아 주세요.", store.ErrNewer: "더 새로운 YUI가 쓴 파일이에요. 새 버전을 쓰세요.",
		store.ErrReadOnly: "쓸 수 없어요. 파일과 폴더에 쓰기 권한을 주세요.",
		store.ErrFull:     "디스크가 가득 찼어요. 공간을 비워 주세요.", store.ErrDamaged: "손상되었어요. 종료하고 다시 시작하면 따로 보관해 둘게요.",
	},
	mistake:     "설정에 잘못된 곳이 있어 그 부분은 빼고 시작했어요:\n%s\n메뉴의 설정…에서 config.toml을 열 수 있어요. 고친 다음 종료하고 다시 시작해 주세요.",
	notTaken:    "설정에 잘못된 곳이 있어 이전 설정을 그대로 쓸게요:\n%s",
	cannotStart: "YUI를 시작할 수 없어요", askDoctor: "터미널에서 yui doctor를 실행하면 고칠 방법을 알려 줘요.",
	damaged:  "YUI 데이터베이스가 손상되어 있었습니다. 이전 파일은 남겨 두었습니다: ",
	noEditor: "설정을 여는 프로그램이 없습니다. 설정은 이 파일에 있습니다: ",
}

// wordsFor returns the words of a language.
func wordsFor(language string) wording {
	switch language {
	case "ja":
		return japanese
	case "ko":
		return korean
	}
	return english
}

// forgetful says why the database of file is not open.
func (w wording) forgetful(file string, err error) string {
	return fmt.Sprintf(w.closed, file, w.cause(err))
}

// unsaved says why the database of file did not take something.
func (w wording) unsaved(file string, err error) string {
	return fmt.Sprintf(w.full, file, w.cause(err))
}

// cause is why the database failed, with what to do about it where that is known.
func (w wording) cause(err error) string {
	if known := store.Cause(err); known != nil {
		return w.causes[known]
	}
	return err.Error() + "."
}

// status is the pill's phrase for a tool.
func (w wording) status(tool string, running bool) string {
	m := w.done
	if running {
		m = w.running
	}
	if s, ok := m[tool]; ok && tool != "" {
		return s
	}
	return m[""] + tool
}
