package main

import (
	"os"
	"strings"
)

// identity is who answers. What was not told is the empty string.
type identity struct {
	Version   string `json:"version"`
	Name      string `json:"pod"`
	UID       string `json:"uid"`
	Namespace string `json:"namespace"`
	IP        string `json:"ip"`
	Node      string `json:"node"`
}

func identityFromEnvironment() identity {
	version := os.Getenv("VERSION")
	if version == "" {
		// Absent outside an image.
		written, _ := os.ReadFile("/etc/app-version")
		version = strings.TrimSpace(string(written))
	}
	return identity{
		Version:   version,
		Name:      os.Getenv("POD_NAME"),
		UID:       os.Getenv("POD_UID"),
		Namespace: os.Getenv("POD_NAMESPACE"),
		IP:        os.Getenv("POD_IP"),
		Node:      os.Getenv("NODE_NAME"),
	}
}
