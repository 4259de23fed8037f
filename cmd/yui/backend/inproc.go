package backend

import (
	"io"
	"net/http"
	"sync"
)

// inProcess is an http.RoundTripper that hands requests to a handler of this process: the built-in companion is
// reached through the same client as every backend, without a port that others could reach.
type inProcess struct{ handler http.Handler }

// RoundTrip implements http.RoundTripper. The answer's body streams as the handler writes.
func (t inProcess) RoundTrip(req *http.Request) (*http.Response, error) {
	r, w := io.Pipe()
	rw := &pipeWriter{header: http.Header{}, pipe: w, ready: make(chan struct{})}
	go func() {
		defer func() {
			if p := recover(); p != nil {
				rw.WriteHeader(http.StatusInternalServerError)
				w.CloseWithError(io.ErrUnexpectedEOF)
				return
			}
			rw.WriteHeader(http.StatusOK)
			w.Close()
		}()
		t.handler.ServeHTTP(rw, req)
	}()
	select {
	case <-rw.ready:
	case <-req.Context().Done():
		r.CloseWithError(req.Context().Err())
		return nil, req.Context().Err()
	}
	return &http.Response{
		Status: http.StatusText(rw.status), StatusCode: rw.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: rw.sent, Body: r, ContentLength: -1, Request: req,
	}, nil
}

type pipeWriter struct {
	header, sent http.Header
	pipe         *io.PipeWriter
	once         sync.Once
	status       int
	ready        chan struct{}
}

func (w *pipeWriter) Header() http.Header { return w.header }

func (w *pipeWriter) WriteHeader(status int) {
	w.once.Do(func() {
		w.status, w.sent = status, w.header.Clone()
		close(w.ready)
	})
}

func (w *pipeWriter) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.pipe.Write(p)
}

// Flush implements http.Flusher: a pipe holds nothing back.
func (w *pipeWriter) Flush() { w.WriteHeader(http.StatusOK) }
