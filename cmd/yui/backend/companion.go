package backend

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"yui/chat/companion"
)

// ServeCompanion serves the built-in companion as an OpenAI-compatible server until ctx ends.
func ServeCompanion(ctx context.Context, addr string, out io.Writer) error {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return fmt.Errorf("serve companion: %w", err)
	}
	srv := &http.Server{Handler: companion.New(companion.Options{Delay: companion.DefaultDelay}), ReadHeaderTimeout: 10 * time.Second}
	fmt.Fprintf(out, "serving the companion at http://%s/v1\n", l.Addr())
	stop := context.AfterFunc(ctx, func() {
		end, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		if srv.Shutdown(end) != nil {
			srv.Close()
		}
	})
	defer stop()
	if err := srv.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve companion: %w", err)
	}
	return nil
}
