package main

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"strings"
	"time"
)

// config is one reading of the configuration. Fault is why there is none.
type config struct {
	From   string    `json:"from"`
	At     time.Time `json:"at"`
	Text   string    `json:"text"`
	Sha256 string    `json:"sha256"`
	Fault  string    `json:"fault"`
}

// loadConfig reads from env:NAME or file:PATH. The empty channel has no configuration.
func loadConfig(from string) config {
	reading := config{From: from, At: time.Now().UTC()}
	channel, place, _ := strings.Cut(from, ":")
	var bytes []byte
	switch channel {
	case "":
		return reading
	case "env":
		text, set := os.LookupEnv(place)
		if !set {
			reading.Fault = place + " is not set"
			return reading
		}
		bytes = []byte(text)
	case "file":
		read, err := os.ReadFile(place)
		if err != nil {
			reading.Fault = err.Error()
			return reading
		}
		bytes = read
	default:
		fail("CONFIG_FROM is env:NAME or file:PATH, not " + from)
	}
	digest := sha256.Sum256(bytes)
	reading.Text = string(bytes)
	reading.Sha256 = hex.EncodeToString(digest[:])
	return reading
}
