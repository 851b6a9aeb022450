// SPDX-License-Identifier: Apache-2.0
package io.packing.transport;

import io.grpc.CallCredentials;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.SecurityLevel;
import io.grpc.Status;
import io.packing.transport.identity.CallGuard;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * The credentials that show a client's token with each of its calls, if it has one, and never over a plain connection.
 */
final class ShownToken extends CallCredentials implements ClientInterceptor {
    private final Security.TokenSource source;

    ShownToken(Security.TokenSource source) {
        this.source = source;
    }

    @Override
    public <Q, A> ClientCall<Q, A> interceptCall(MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
        return next.newCall(method, options.withCallCredentials(this));
    }

    @Override
    public void applyRequestMetadata(RequestInfo request, Executor executor, MetadataApplier applier) {
        if (request.getSecurityLevel() != SecurityLevel.PRIVACY_AND_INTEGRITY) {
            applier.fail(Status.UNAUTHENTICATED.withDescription("a token is not sent over a plain connection"));
            return;
        }
        if (source.isAtHand()) {
            show(applier);
        } else {
            // The calling thread must not wait here, even if the call must.
            executor.execute(() -> show(applier));
        }
    }

    private void show(MetadataApplier applier) {
        try {
            Metadata headers = new Metadata();
            Optional<String> token = source.token();
            token.ifPresent(text -> headers.put(CallGuard.AUTHORIZATION, CallGuard.BEARER + text));
            applier.apply(headers);
        } catch (UncheckedIOException e) {
            applier.fail(Status.UNAUTHENTICATED.withDescription(e.getMessage()).withCause(e));
        }
    }
}
