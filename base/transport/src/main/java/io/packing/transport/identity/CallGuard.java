// SPDX-License-Identifier: Apache-2.0
package io.packing.transport.identity;

import io.grpc.Attributes;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerTransportFilter;
import io.grpc.Status;
import io.packing.transport.token.InvalidTokenException;
import io.packing.transport.token.TokenVerifier;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A check in front of each call: the server must know the caller, and the caller must have the right. It ends a refused
 * call before the server looks at its message. Handlers of the other calls find the caller in {@link Identity#current}.
 * Thread-safe.
 */
public final class CallGuard implements ServerInterceptor {
    /** The header in which a client shows its token: {@code Bearer TOKEN}. */
    public static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

    /** The prefix of the token. */
    public static final String BEARER = "Bearer ";

    private static final Logger LOG = LoggerFactory.getLogger(CallGuard.class);
    /** The longest text of a refusal, which may repeat a name of a certificate: headers of an answer have 8 KB. */
    private static final int MOST_CHARACTERS = 500;

    private static final Attributes.Key<Certified> CERTIFIED = Attributes.Key.create("packing certified");

    private final MethodRoles rights;
    private final TokenVerifier tokens;
    private final Revocation revocation;
    private final Clock clock;

    /** The knowledge of certificates that ended before their time. */
    public interface Revocation {
        /** Returns the reason why a chain of certificates is no longer good; empty when it is. */
        Optional<String> why(List<X509Certificate> chain);
    }

    /**
     * The identity in a connection's certificate, or the reason why the connection has none.
     *
     * @param chain the certificate, and those between it and its authority
     */
    private record Certified(Optional<Identity> identity, String problem, List<X509Certificate> chain) {
        static Certified nothing(String problem) {
            return new Certified(Optional.empty(), problem, List.of());
        }
    }

    /**
     * Creates a guard.
     *
     * @param revocation is asked at each call
     */
    public CallGuard(MethodRoles rights, TokenVerifier tokens, Revocation revocation, Clock clock) {
        this.rights = rights;
        this.tokens = tokens;
        this.revocation = revocation;
        this.clock = clock;
    }

    /** Returns a filter that reads the certificate of a connection when the connection begins. */
    public static ServerTransportFilter connections() {
        return new ServerTransportFilter() {
            @Override
            public Attributes transportReady(Attributes attributes) {
                SSLSession session = attributes.get(Grpc.TRANSPORT_ATTR_SSL_SESSION);
                return attributes.toBuilder().set(CERTIFIED, certified(session)).build();
            }
        };
    }

    private static Certified certified(@Nullable SSLSession session) {
        if (session == null) {
            return Certified.nothing("the connection has no TLS");
        }
        try {
            Certificate[] chain = session.getPeerCertificates();
            return chain.length > 0 && chain[0] instanceof X509Certificate first
                    ? new Certified(Optional.of(Identity.of(first)), "", x509(chain))
                    : Certified.nothing("no certificate");
        } catch (SSLPeerUnverifiedException e) {
            return Certified.nothing("no certificate");
        } catch (IllegalArgumentException e) {
            return Certified.nothing(String.valueOf(e.getMessage()));
        }
    }

    private static List<X509Certificate> x509(Certificate[] chain) {
        return Arrays.stream(chain)
                .filter(X509Certificate.class::isInstance)
                .map(X509Certificate.class::cast)
                .toList();
    }

    /** A refusal of a call. */
    private static final class RefusedException extends Exception {
        private static final long serialVersionUID = 1L;
        private final transient Status status;

        RefusedException(Status status) {
            super(status.getDescription());
            this.status = status;
        }
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        Role needed = rights.of(call.getMethodDescriptor());
        if (needed == Role.CALLER) {
            return next.startCall(call, headers);
        }
        Identity caller;
        try {
            caller = identify(call.getAttributes(), headers);
            check(caller, needed, call);
        } catch (RefusedException e) {
            LOG.info(
                    "refused {} from {}: {}",
                    call.getMethodDescriptor().getFullMethodName(),
                    call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR),
                    e.getMessage());
            call.close(e.status, new Metadata());
            return new ServerCall.Listener<>() {};
        }
        Context context = caller.in(Context.current());
        if (call.getMethodDescriptor().getType().clientSendsOneMessage()) {
            return Contexts.interceptCall(context, call, headers, next);
        }
        WatchedCall<Q, A> watched = new WatchedCall<>(call);
        return watched.watch(
                Contexts.interceptCall(context, watched, headers, next), () -> problem(call.getAttributes(), headers));
    }

    /** Returns the reason why the guard would refuse a caller now that it accepted before. */
    private Optional<String> problem(Attributes attributes, Metadata headers) {
        try {
            Identity unused = identify(attributes, headers);
            return Optional.empty();
        } catch (RefusedException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private static void check(Identity caller, Role needed, ServerCall<?, ?> call) throws RefusedException {
        if (!caller.has(needed)) {
            throw new RefusedException(
                    Status.PERMISSION_DENIED.withDescription("%s may not call %s: it needs a certificate with O=%s"
                            .formatted(
                                    caller.user(),
                                    call.getMethodDescriptor().getFullMethodName(),
                                    needed.organization())));
        }
    }

    private Identity identify(Attributes attributes, Metadata headers) throws RefusedException {
        Certified certified = attributes.get(CERTIFIED);
        if (certified == null) {
            throw unauthenticated("the connection has no TLS");
        }
        Optional<String> token = token(headers);
        if (certified.identity().isEmpty()) {
            return byToken(token.orElseThrow(() ->
                    unauthenticated("the caller is not known. Show a certificate, or a token: %s (docs/security.md)"
                            .formatted(certified.problem()))));
        }
        Identity identity = certified.identity().get();
        if (!clock.instant().isBefore(identity.end())) {
            throw unauthenticated("the certificate of %s ended at %s: connect with a newer one"
                    .formatted(identity.user(), identity.end()));
        }
        Optional<String> revoked = revocation.why(certified.chain());
        if (revoked.isPresent()) {
            throw unauthenticated(revoked.get());
        }
        if (token.isPresent() && !byToken(token.get()).user().equals(identity.user())) {
            throw new RefusedException(Status.PERMISSION_DENIED.withDescription(
                    "%s shows a token of another user".formatted(identity.user())));
        }
        return identity;
    }

    private Identity byToken(String text) throws RefusedException {
        try {
            return Identity.of(tokens.verify(text));
        } catch (InvalidTokenException | IllegalArgumentException e) {
            throw unauthenticated(String.valueOf(e.getMessage()));
        }
    }

    private static Optional<String> token(Metadata headers) throws RefusedException {
        String header = headers.get(AUTHORIZATION);
        if (header == null) {
            return Optional.empty();
        }
        if (!header.startsWith(BEARER)) {
            throw unauthenticated("the header authorization is not '%sTOKEN'".formatted(BEARER));
        }
        return Optional.of(header.substring(BEARER.length()));
    }

    private static RefusedException unauthenticated(String why) {
        String told = why.length() <= MOST_CHARACTERS ? why : why.substring(0, MOST_CHARACTERS) + "...";
        return new RefusedException(Status.UNAUTHENTICATED.withDescription(told));
    }
}
