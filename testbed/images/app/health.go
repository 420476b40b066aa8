package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"os"
	"strconv"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

// healthService answers by grpc.health.v1: the server as a whole and the service "app" are SERVING while /readyz is good.
// Who answers is told in the header x-pod-uid.
type healthService struct {
	grpc_health_v1.UnimplementedHealthServer
	app *app
}

func (service healthService) Check(
	call context.Context,
	asked *grpc_health_v1.HealthCheckRequest,
) (*grpc_health_v1.HealthCheckResponse, error) {
	who := service.app.identity
	if err := grpc.SetHeader(call, metadata.Pairs("x-pod-uid", who.UID, "x-version", who.Version)); err != nil {
		return nil, err
	}
	if asked.Service != "" && asked.Service != "app" {
		return nil, status.Error(codes.NotFound, "no such service")
	}
	answer := grpc_health_v1.HealthCheckResponse_NOT_SERVING
	if service.app.currentControl().Ready {
		answer = grpc_health_v1.HealthCheckResponse_SERVING
	}
	return &grpc_health_v1.HealthCheckResponse{Status: answer}, nil
}

// serveHealth listens on GRPC_PORT in the clear, and on GRPC_TLS_PORT with the certificate and key that TLS_CERT and TLS_KEY
// name; a port that is not set is not listened on.
func serveHealth(app *app) {
	if port := number("GRPC_PORT", 0); port != 0 {
		serveGRPC(app, port)
	}
	if port := number("GRPC_TLS_PORT", 0); port != 0 {
		pair, err := tls.LoadX509KeyPair(os.Getenv("TLS_CERT"), os.Getenv("TLS_KEY"))
		check(err)
		serveGRPC(app, port, grpc.Creds(credentials.NewServerTLSFromCert(&pair)))
	}
}

func serveGRPC(app *app, port int, options ...grpc.ServerOption) {
	listener, err := net.Listen("tcp", ":"+strconv.Itoa(port))
	check(err)
	server := grpc.NewServer(options...)
	grpc_health_v1.RegisterHealthServer(server, healthService{app: app})
	go func() { check(server.Serve(listener)) }()
	fmt.Println("serves its health by gRPC on", listener.Addr())
}
