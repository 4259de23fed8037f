package tools_test

import (
	"context"
	"fmt"

	"yui/assets/lang"
	"yui/tools"
)

// bubble stands for the bubble that shows questions.
type bubble struct{}

func (bubble) Ask(_ context.Context, q tools.Question) bool {
	fmt.Printf("%s\n%s\n[%s] [%s]\n", q.Title, q.Body, q.Allow, q.Deny)
	return false
}

// A search taints the conversation, and a tool that is a way out asks until the person speaks again.
func Example() {
	var taint tools.Taint
	guard := tools.Guard{Asker: bubble{}, Words: lang.In("en")}
	ran := func(context.Context, tools.Call) tools.Result { return tools.Result{Text: "done"} }

	search := taint.Watched(tools.Tool{Name: "web_search", Run: ran}, tools.FromSearch, nil)
	browser := guard.Guarded(tools.Tool{Name: "browser", Run: ran}, tools.Rule{
		When: taint.Tainted,
		Question: func(call tools.Call) (tools.Question, bool) {
			return tools.Question{Title: "Run this in the browser?", Body: string(call.Args)}, true
		},
	})
	call := tools.Call{Args: []byte(`{"code":"await task.open()"}`)}

	fmt.Println(browser.Run(context.Background(), call).Text)
	search.Run(context.Background(), tools.Call{})
	fmt.Println(browser.Run(context.Background(), call).Text)
	taint.Turn(true)
	fmt.Println(browser.Run(context.Background(), call).Text)
	// Output:
	// done
	// Run this in the browser?
	// {"code":"await task.open()"}
	// [Allow] [Deny]
	// error: declined by the user
	// done
}
