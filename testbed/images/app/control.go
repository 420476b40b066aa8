package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"time"
)

// control is what can be set at run time. A PATCH names the fields that change, the others stay.
type control struct {
	Ready     bool `json:"ready"`
	Live      bool `json:"live"`
	LatencyMs int  `json:"latencyMs"`
	// Status is what GET / answers with.
	Status int `json:"status"`
	// AllocateMiB is memory to take and touch, so that a limit is reached.
	AllocateMiB int `json:"allocateMiB"`
	// Exit ends the process with this code, once the reply is out.
	Exit *int `json:"exit,omitempty"`
}

func (app *app) serveControl(reply http.ResponseWriter, request *http.Request) {
	if request.Method == http.MethodGet {
		writeJSON(reply, http.StatusOK, app.currentControl())
		return
	}
	if request.Method != http.MethodPatch {
		writeJSON(reply, http.StatusMethodNotAllowed, map[string]string{"fault": "control takes GET and PATCH"})
		return
	}
	next := app.currentControl()
	decoder := json.NewDecoder(http.MaxBytesReader(reply, request.Body, 65536))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&next); err != nil {
		writeJSON(reply, http.StatusBadRequest, map[string]string{"fault": err.Error()})
		return
	}
	if next.Status < 200 || next.Status > 599 || next.LatencyMs < 0 || next.AllocateMiB < 0 {
		writeJSON(reply, http.StatusBadRequest, map[string]string{"fault": "status is 200 to 599, the other numbers are from 0"})
		return
	}
	app.steer(next)
	fmt.Printf("told %+v\n", next)
	writeJSON(reply, http.StatusOK, next)
	if next.Exit != nil {
		time.AfterFunc(100*time.Millisecond, func() { os.Exit(*next.Exit) })
	}
}
