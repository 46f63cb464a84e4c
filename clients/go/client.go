package fermata

import (
	"io"

	"google.golang.org/grpc"

	conversationv1 "fermata.dev/go/gen/fermata/conversation/v1"
	palettev1 "fermata.dev/go/gen/fermata/palette/v1"
	skillv1 "fermata.dev/go/gen/fermata/skill/v1"
)

// Client speaks with one sidecar. It is safe for use by many goroutines. Whoever makes it closes it.
type Client struct {
	conn       decodingConn
	closer     io.Closer
	settings   settings
	registries *registries
	seen       *seenAnswers
}

// Option changes how a client works.
type Option func(*settings)

type settings struct {
	tenant    string
	deadlines Deadlines
	offerAll  bool
	token     string
	dial      []grpc.DialOption
}

// WithTenant binds the tenant of every thread and skill query. There is no default: without it the sidecar refuses an identity.
func WithTenant(tenant string) Option { return func(s *settings) { s.tenant = tenant } }

// WithToken sends a token with every call, for a listener that asks for one.
func WithToken(token string) Option { return func(s *settings) { s.token = token } }

// WithDeadlines changes the waits that are not 0.
func WithDeadlines(deadlines Deadlines) Option {
	return func(s *settings) { s.deadlines = deadlines.orElse(s.deadlines) }
}

// OfferAllWhenUnreachable has Resolve offer every tool whenever the sidecar does not answer, also where it could not tell whether a hard
// filter takes one away. Only for a host whose tools are harmless.
func OfferAllWhenUnreachable() Option { return func(s *settings) { s.offerAll = true } }

// WithDialOptions adds options of the connection, such as credentials. Those of this package stand before them.
func WithDialOptions(options ...grpc.DialOption) Option {
	return func(s *settings) { s.dial = append(s.dial, options...) }
}

// New makes a client of a target, such as 127.0.0.1:50551 or unix:///run/fermata/data.sock. The first call connects.
func New(target string, options ...Option) (*Client, error) {
	set := settingsOf(options)
	conn, err := grpc.NewClient(target, append(dialOptions(), set.dial...)...)
	if err != nil {
		return nil, err
	}
	return newClient(conn, conn, set), nil
}

// NewWithConn makes a client over a connection that the host has made and closes itself. Retries, proxies and limits are the connection's.
func NewWithConn(conn grpc.ClientConnInterface, options ...Option) *Client {
	return newClient(conn, io.NopCloser(nil), settingsOf(options))
}

// Close ends the connection, if New made it.
func (c *Client) Close() error { return c.closer.Close() }

// Conn is the connection below, for any stub: what ends a call on it is decoded, and has the deadline of its method.
func (c *Client) Conn() grpc.ClientConnInterface { return c.conn }

// Palette has every RPC of the palette as it stands in the contract.
func (c *Client) Palette() palettev1.PaletteServiceClient {
	return palettev1.NewPaletteServiceClient(c.conn)
}

// Conversation has every RPC of conversations as it stands in the contract, also those of an operator.
func (c *Client) Conversation() conversationv1.ConversationServiceClient {
	return conversationv1.NewConversationServiceClient(c.conn)
}

// Skills has every RPC of the skill store as it stands in the contract.
func (c *Client) Skills() skillv1.SkillServiceClient { return skillv1.NewSkillServiceClient(c.conn) }

func newClient(conn grpc.ClientConnInterface, closer io.Closer, set settings) *Client {
	return &Client{
		conn:       decodingConn{conn, set},
		closer:     closer,
		settings:   set,
		registries: newRegistries(),
		seen:       newSeenAnswers(),
	}
}

func settingsOf(options []Option) settings {
	set := settings{deadlines: defaultDeadlines()}
	for _, option := range options {
		option(&set)
	}
	return set
}
