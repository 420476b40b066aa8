// app is the workload that tests roll out: one static binary that serves JSON about itself, and does what it is told.
//
//	app              serves (the default)
//	app get URL      prints status and body; ends with 1 on an error or a status from 400 on
//	app cat FILE     prints a file
//	app exit CODE    ends with that code, for Jobs
//
// GET / answers what describe() returns; /readyz and /livez answer 200 or 503; GET and PATCH /control read and set what
// control.go lists; POST /reload reads the configuration again, as a process does that is told to.
//
// Environment, all optional:
//
//	PORT               8080
//	VERSION            instead of the text in /etc/app-version, which each image has of its own
//	POD_NAME, POD_UID, POD_NAMESPACE, POD_IP, NODE_NAME   from the downward API
//	CONFIG_FROM        env:NAME or file:PATH: where the configuration comes from; read once, at the start
//	READY, LIVE        false: answer 503 from the start
//	STARTUP_MS         time before it listens
//	EXIT_AFTER_MS      time after which it ends by itself, with EXIT_CODE (1)
//	SHUTDOWN_MS        time for which it still serves after SIGTERM
//	GRPC_PORT          its health by gRPC (health.go), in the clear; GRPC_TLS_PORT with TLS_CERT and TLS_KEY, two files
//	LOG_REQUESTS       the header whose value each request's log line holds
package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"
)

func main() {
	command, rest := "serve", []string{}
	if len(os.Args) > 1 {
		command, rest = os.Args[1], os.Args[2:]
	}
	switch {
	case command == "serve" && len(rest) == 0:
		serve()
	case command == "get" && len(rest) == 1:
		get(rest[0])
	case command == "cat" && len(rest) == 1:
		bytes, err := os.ReadFile(rest[0])
		check(err)
		os.Stdout.Write(bytes)
	case command == "exit" && len(rest) == 1:
		code, err := strconv.Atoi(rest[0])
		check(err)
		os.Exit(code)
	default:
		fail("usage: app [serve | get URL | cat FILE | exit CODE]")
	}
}

func serve() {
	app := newApp(
		identityFromEnvironment(),
		loadConfig(os.Getenv("CONFIG_FROM")),
		control{Ready: os.Getenv("READY") != "false", Live: os.Getenv("LIVE") != "false", Status: http.StatusOK},
	)
	if after := milliseconds("EXIT_AFTER_MS"); after > 0 {
		code := number("EXIT_CODE", 1)
		time.AfterFunc(after, func() {
			fmt.Println("ends by EXIT_AFTER_MS with", code)
			os.Exit(code)
		})
	}
	time.Sleep(milliseconds("STARTUP_MS"))

	serveHealth(app)
	server := &http.Server{Addr: ":" + strconv.Itoa(number("PORT", 8080)), Handler: app.routes()}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		signals := make(chan os.Signal, 1)
		signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT)
		fmt.Println("told to end by", <-signals)
		time.Sleep(milliseconds("SHUTDOWN_MS"))
		deadline, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if err := server.Shutdown(deadline); err != nil {
			fmt.Fprintln(os.Stderr, "requests were cut off:", err)
		}
	}()
	fmt.Println("serves", app.identity.Version, "as", app.identity.Name, app.identity.UID, "on", server.Addr)
	if err := server.ListenAndServe(); err != http.ErrServerClosed {
		check(err)
	}
	<-ended
}

func get(url string) {
	client := http.Client{Timeout: 5 * time.Second}
	reply, err := client.Get(url)
	check(err)
	body, err := io.ReadAll(reply.Body)
	check(err)
	fmt.Printf("%d %s\n", reply.StatusCode, body)
	if reply.StatusCode >= 400 {
		os.Exit(1)
	}
}

// number reads a whole number from the environment; what is set and is none ends the process, since a test that
// misspelt it would test something else.
func number(name string, otherwise int) int {
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	value, err := strconv.Atoi(text)
	if err != nil {
		fail(fmt.Sprintf("%s=%q is no whole number", name, text))
	}
	return value
}

func milliseconds(name string) time.Duration {
	return time.Duration(number(name, 0)) * time.Millisecond
}

func check(err error) {
	if err != nil {
		fail(err.Error())
	}
}

func fail(sentence string) {
	fmt.Fprintln(os.Stderr, "app:", sentence)
	os.Exit(1)
}
