package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"
)

type app struct {
	identity  identity
	startedAt time.Time

	// Guards what follows.
	mutex    sync.Mutex
	loaded   config
	control  control
	requests int
	taken    []byte
}

// description is the answer of GET /.
type description struct {
	identity
	StartedAt time.Time `json:"startedAt"`
	// Requests that GET / has had, this one included.
	Requests int    `json:"requests"`
	Path     string `json:"path"`
	// Config is what this process loaded and works with; ConfigNow what it would load now.
	Config    config  `json:"config"`
	ConfigNow config  `json:"configNow"`
	Control   control `json:"control"`
}

func newApp(who identity, loaded config, start control) *app {
	return &app{identity: who, startedAt: time.Now().UTC(), loaded: loaded, control: start}
}

func (app *app) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/", app.serveDescription)
	mux.HandleFunc("/control", app.serveControl)
	mux.HandleFunc("POST /reload", app.serveReload)
	mux.HandleFunc("/readyz", func(reply http.ResponseWriter, _ *http.Request) {
		writeProbe(reply, app.currentControl().Ready)
	})
	mux.HandleFunc("/livez", func(reply http.ResponseWriter, _ *http.Request) {
		writeProbe(reply, app.currentControl().Live)
	})
	return mux
}

func (app *app) serveDescription(reply http.ResponseWriter, request *http.Request) {
	if header := os.Getenv("LOG_REQUESTS"); header != "" {
		fmt.Println("request", strconv.Quote(request.Header.Get(header)), request.URL.Path)
	}
	app.mutex.Lock()
	app.requests++
	told := description{
		identity:  app.identity,
		StartedAt: app.startedAt,
		Requests:  app.requests,
		Path:      request.URL.Path,
		Config:    app.loaded,
		Control:   app.control,
	}
	app.mutex.Unlock()
	told.ConfigNow = loadConfig(told.Config.From)
	time.Sleep(time.Duration(told.Control.LatencyMs) * time.Millisecond)
	reply.Header().Set("x-pod-name", app.identity.Name)
	reply.Header().Set("x-pod-uid", app.identity.UID)
	reply.Header().Set("x-version", app.identity.Version)
	writeJSON(reply, told.Control.Status, told)
}

func (app *app) serveReload(reply http.ResponseWriter, _ *http.Request) {
	app.mutex.Lock()
	read := loadConfig(app.loaded.From)
	app.loaded = read
	app.mutex.Unlock()
	writeJSON(reply, http.StatusOK, read)
}

func (app *app) currentControl() control {
	app.mutex.Lock()
	defer app.mutex.Unlock()
	return app.control
}

func (app *app) steer(next control) {
	app.mutex.Lock()
	defer app.mutex.Unlock()
	app.control = next
	app.taken = make([]byte, next.AllocateMiB<<20)
	// Untouched memory is not counted.
	for at := 0; at < len(app.taken); at += 4096 {
		app.taken[at] = 1
	}
}

func writeProbe(reply http.ResponseWriter, good bool) {
	status := http.StatusOK
	if !good {
		status = http.StatusServiceUnavailable
	}
	writeJSON(reply, status, map[string]bool{"good": good})
}

func writeJSON(reply http.ResponseWriter, status int, value any) {
	reply.Header().Set("content-type", "application/json")
	reply.WriteHeader(status)
	// The caller may be gone; there is nobody else to tell.
	_ = json.NewEncoder(reply).Encode(value)
}
