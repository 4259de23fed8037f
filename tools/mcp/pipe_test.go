package mcp

import (
	"fmt"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// An answer is not lost for what stands on its line beside it, and what a log quotes beyond that is no message.
func TestAnswersWithinLines(t *testing.T) {
	const answer = `{"jsonrpc":"2.0","id":7,"result":{"a":"{ \"jsonrpc\" }"}}`
	const failure = `{"id":8,"jsonrpc":"2.0","error":{"code":-32000,"message":"x"}}`
	const request = `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{}}`
	for line, want := range map[string]string{
		answer:                    "7",
		"[INFO] called " + answer: "7",
		"100% {" + answer:         "7",
		"{jsonrpc} " + failure:    "8",
		`{"level":"info","msg":"called"}` + failure:         "8",
		answer + "[INFO] done":                              "7",
		"[INFO] {}" + answer + failure:                      "7 8",
		`"jsonrpc" ` + answer:                               "7",
		"[DEBUG] received " + request:                       "",
		`{"level":"debug","sent":` + answer + `}`:           "",
		`["` + strings.ReplaceAll(answer, `"`, `\"`) + `"]`: "",
		"[INFO] " + answer[:len(answer)-1]:                  "",
		"[INFO] " + request + answer:                        "7",
		strings.Repeat(`{"jsonrpc"`, 100) + answer:          "",
		`}"jsonrpc"`: "",
	} {
		var got []string
		for _, msg := range decodeLine([]byte(line)) {
			got = append(got, fmt.Sprint(msg.(*jsonrpc.Response).ID.Raw()))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%.100s: %q, want %q", line, got, want)
		}
	}
}
