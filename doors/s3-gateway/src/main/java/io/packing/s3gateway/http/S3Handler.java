// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.http;

import io.packing.bdt.BackingStoreUnavailableException;
import io.packing.bdt.DeniedException;
import io.packing.bdt.QuotaExceededException;
import io.packing.bdt.UnavailableException;
import io.packing.registry.web.PacedInput;
import io.packing.s3gateway.auth.Authenticated;
import io.packing.s3gateway.auth.Authenticator;
import io.packing.s3gateway.objects.UserMount;
import io.packing.s3gateway.objects.UserMounts;
import io.packing.s3gateway.protocol.S3Code;
import io.packing.s3gateway.protocol.S3Exception;
import io.packing.store.ObjectChangedException;
import io.packing.store.StoreUnavailableException;
import io.packing.worker.api.BufferFullException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks the signature of each request, gives it to its endpoint, and turns failures into the answers of the protocol. */
public final class S3Handler extends Handler.Abstract {
    private static final Logger LOG = LoggerFactory.getLogger(S3Handler.class);

    private final Authenticator authenticator;
    private final UserMounts mounts;
    private final Optional<String> domain;
    private final BucketEndpoint buckets;
    private final ObjectEndpoint objects;
    private final S3RequestListener listener;
    private final LongSupplier nanoTime;
    private final AtomicLong requests = new AtomicLong();

    /**
     * Makes a handler.
     *
     * @param domain below which hosts are buckets; empty: buckets are in paths only
     * @param nanoTime the time of the process's clock
     */
    public S3Handler(
            Authenticator authenticator,
            UserMounts mounts,
            Optional<String> domain,
            BucketEndpoint buckets,
            ObjectEndpoint objects,
            S3RequestListener listener,
            LongSupplier nanoTime) {
        this.authenticator = authenticator;
        this.mounts = mounts;
        this.domain = domain;
        this.buckets = buckets;
        this.objects = objects;
        this.listener = listener;
        this.nanoTime = nanoTime;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        long began = nanoTime.getAsLong();
        String id = "%016X".formatted(requests.incrementAndGet());
        try {
            S3Exchange exchange;
            try {
                exchange = new S3Exchange(request, response, nanoTime, id);
            } catch (S3Exception e) {
                S3Exchange.refuseUnread(response, e, id);
                callback.succeeded();
                return true;
            }
            try {
                serve(exchange);
            } catch (IOException | RuntimeException e) {
                fail(exchange, e);
            }
            listener.answered(request.getMethod(), response.getStatus(), nanoTime.getAsLong() - began);
            exchange.end(callback);
        } catch (IOException | RuntimeException e) {
            listener.answered(request.getMethod(), 0, nanoTime.getAsLong() - began);
            callback.failed(e);
        }
        return true;
    }

    private void serve(S3Exchange exchange) throws IOException {
        Authenticated who = authenticator.check(exchange.signed());
        exchange.allow(who);
        UserMount mount = mounts.of(who.user());
        S3Route route = S3Route.of(exchange.signed(), domain);
        if (route.bucket().isEmpty()) {
            buckets.list(exchange, mount);
        } else if (route.key().isEmpty()) {
            buckets.serve(exchange, mount, route.bucket());
        } else {
            objects.serve(exchange, mount, route.bucket(), route.key());
        }
    }

    /** Answers a failure, or throws it on when the answer has begun: the connection is cut then. */
    private static void fail(S3Exchange exchange, Exception failure) throws IOException {
        if (exchange.isCommitted()) {
            LOG.debug("{} was cut", exchange.method(), failure);
            throw failure instanceof IOException io ? io : new IOException(failure);
        }
        S3Exception refusal = refusal(exchange, failure);
        exchange.refuse(refusal.code(), String.valueOf(refusal.getMessage()));
    }

    private static S3Exception refusal(S3Exchange exchange, Exception failure) {
        String message = String.valueOf(failure.getMessage());
        if (failure instanceof S3Exception refused) {
            return refused;
        }
        if (failure instanceof DeniedException) {
            return new S3Exception(
                    S3Code.ACCESS_DENIED, "the user of the access key lacks a right: " + message, failure);
        }
        if (failure instanceof QuotaExceededException) {
            return new S3Exception(S3Code.QUOTA_EXCEEDED, message, failure);
        }
        if (failure instanceof BufferFullException) {
            return new S3Exception(S3Code.SLOW_DOWN, message, failure);
        }
        if (failure instanceof PacedInput.BrokenBodyException) {
            return new S3Exception(S3Code.INCOMPLETE_BODY, message, failure);
        }
        if (failure instanceof UnavailableException
                || failure instanceof StoreUnavailableException
                || failure instanceof BackingStoreUnavailableException) {
            return new S3Exception(S3Code.SERVICE_UNAVAILABLE, "try again: " + message, failure);
        }
        if (failure instanceof ObjectChangedException) {
            // No retry mends it, and clients would repeat a failure of the server.
            return new S3Exception(S3Code.INVALID_OBJECT_STATE, message, failure);
        }
        if (failure instanceof FileNotFoundException) {
            // Another client has just deleted or replaced it.
            return new S3Exception(S3Code.NO_SUCH_KEY, "the object has just gone", failure);
        }
        LOG.warn("{} {} failed", exchange.method(), exchange.signed().path(), failure);
        return new S3Exception(S3Code.INTERNAL_ERROR, message, failure);
    }
}
