package fermata

import (
	"context"
	"errors"
	"io"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
)

// UnaryInterceptor decodes what ends a call, for a connection that the host makes itself.
func UnaryInterceptor() grpc.UnaryClientInterceptor {
	return func(ctx context.Context, method string, request, answer any, conn *grpc.ClientConn, call grpc.UnaryInvoker, options ...grpc.CallOption) error {
		var trailer metadata.MD
		err := call(ctx, method, request, answer, conn, withTrailer(options, &trailer)...)
		return decodeWith(err, trailer)
	}
}

// StreamInterceptor decodes what ends a stream, for a connection that the host makes itself.
func StreamInterceptor() grpc.StreamClientInterceptor {
	return func(ctx context.Context, desc *grpc.StreamDesc, conn *grpc.ClientConn, method string, open grpc.Streamer, options ...grpc.CallOption) (grpc.ClientStream, error) {
		stream, err := open(ctx, desc, conn, method, options...)
		if err != nil {
			return nil, Decode(err)
		}
		return decodingStream{stream}, nil
	}
}

// decodingConn decodes what ends a call, sends the token, and gives a call without a deadline the one of its method.
type decodingConn struct {
	grpc.ClientConnInterface
	settings settings
}

func (c decodingConn) Invoke(ctx context.Context, method string, request, answer any, options ...grpc.CallOption) error {
	ctx, cancel := c.settings.deadlines.limit(c.authorized(ctx), method)
	defer cancel()
	var trailer metadata.MD
	err := c.ClientConnInterface.Invoke(ctx, method, request, answer, withTrailer(options, &trailer)...)
	return decodeWith(err, trailer)
}

func (c decodingConn) NewStream(ctx context.Context, desc *grpc.StreamDesc, method string, options ...grpc.CallOption) (grpc.ClientStream, error) {
	stream, err := c.ClientConnInterface.NewStream(c.authorized(ctx), desc, method, options...)
	if err != nil {
		return nil, Decode(err)
	}
	return decodingStream{stream}, nil
}

func (c decodingConn) authorized(ctx context.Context) context.Context {
	if c.settings.token == "" {
		return ctx
	}
	return metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+c.settings.token)
}

type decodingStream struct{ grpc.ClientStream }

func (s decodingStream) RecvMsg(message any) error {
	err := s.ClientStream.RecvMsg(message)
	if errors.Is(err, io.EOF) {
		return err
	}
	return decodeWith(err, s.Trailer())
}

func (s decodingStream) SendMsg(message any) error {
	err := s.ClientStream.SendMsg(message)
	if errors.Is(err, io.EOF) {
		return err
	}
	return Decode(err)
}

// withTrailer leaves the caller's list as it is.
func withTrailer(options []grpc.CallOption, trailer *metadata.MD) []grpc.CallOption {
	return append(options[:len(options):len(options)], grpc.Trailer(trailer))
}
