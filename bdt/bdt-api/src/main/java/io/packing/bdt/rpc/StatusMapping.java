// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.rpc;

import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.packing.bdt.BackingStoreUnavailableException;
import io.packing.bdt.BusyException;
import io.packing.bdt.DeniedException;
import io.packing.bdt.FencedException;
import io.packing.bdt.MovedException;
import io.packing.bdt.NotLeaderException;
import io.packing.bdt.Outcome;
import io.packing.bdt.QuotaExceededException;
import io.packing.bdt.SessionExpiredException;
import io.packing.bdt.UnavailableException;
import java.io.IOException;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one place where failures become gRPC status codes and come back.
 *
 * <pre>
 * UNAVAILABLE, DEADLINE_EXCEEDED  retry                         {@link UnavailableException}
 * UNAVAILABLE, trailer of its own  another master answers        {@link NotLeaderException}
 * RESOURCE_EXHAUSTED, with a delay ask later                     {@link BusyException}
 * UNAVAILABLE from TLS            certificates do not fit       {@link IOException}
 * FAILED_PRECONDITION             a newer session or master     {@link FencedException}
 * ABORTED                         register again and reclaim    {@link SessionExpiredException}
 * NOT_FOUND                       open the mount again          {@link MountNotOpenException}
 * INVALID_ARGUMENT                the caller's mistake          {@link IllegalArgumentException}
 * PERMISSION_DENIED               the caller may not            {@link DeniedException}
 * INTERNAL, trailer of its own    the backing store is away     {@link BackingStoreUnavailableException}
 * OUT_OF_RANGE, with a trailer    a quota is exceeded           {@link QuotaExceededException}
 * INTERNAL, anything else         do not retry                  {@link IOException}
 * </pre>
 */
public final class StatusMapping {
    private static final Logger LOG = LoggerFactory.getLogger(StatusMapping.class);

    private static final int MOST_CHARACTERS = 500;
    /** The kind of a failure, such as an unavailable store; older clients ignore it. */
    private static final Metadata.Key<String> FAILURE =
            Metadata.Key.of("packing-failure", Metadata.ASCII_STRING_MARSHALLER);

    private static final String STORE_UNAVAILABLE = "store-unavailable";
    /** The leader's address, {@code host:port}; empty: the refusing master does not know it. */
    private static final Metadata.Key<String> LEADER =
            Metadata.Key.of("packing-leader", Metadata.ASCII_STRING_MARSHALLER);
    /** The milliseconds after which to ask again, under gRPC's own name. */
    private static final Metadata.Key<String> PUSHBACK =
            Metadata.Key.of("grpc-retry-pushback-ms", Metadata.ASCII_STRING_MARSHALLER);

    private static final long LONGEST_PUSHBACK_MILLIS = 60_000;

    /** The master group to ask: its name, and {@code host:port} with commas between them. */
    private static final Metadata.Key<String> GROUP =
            Metadata.Key.of("packing-group", Metadata.ASCII_STRING_MARSHALLER);

    /** Netty's messages for a handshake that ended with its connection. */
    private static final Pattern BROKEN_HANDSHAKE = Pattern.compile(
            "writing TLS control frames|handshake timed out|closed while SSL/TLS handshake|SSLEngine closed already");

    private StatusMapping() {}

    /** Returns the status that carries this failure to a client. */
    public static StatusRuntimeException toStatus(Throwable failure) {
        Throwable cause = unwrap(failure);
        Status status;
        if (cause instanceof StatusRuntimeException known) {
            return bounded(known);
        } else if (cause instanceof BusyException) {
            status = Status.RESOURCE_EXHAUSTED;
        } else if (cause instanceof UnavailableException) {
            status = Status.UNAVAILABLE;
        } else if (cause instanceof FencedException) {
            status = Status.FAILED_PRECONDITION;
        } else if (cause instanceof SessionExpiredException) {
            status = Status.ABORTED;
        } else if (cause instanceof MountNotOpenException) {
            status = Status.NOT_FOUND;
        } else if (cause instanceof DeniedException) {
            status = Status.PERMISSION_DENIED;
        } else if (cause instanceof QuotaExceededException) {
            status = Status.OUT_OF_RANGE;
        } else if (cause instanceof IllegalArgumentException) {
            status = Status.INVALID_ARGUMENT;
        } else {
            status = Status.INTERNAL;
            // The caller gets a sentence; only this log has the stack trace.
            if (!(cause instanceof BackingStoreUnavailableException)) {
                LOG.error("a call failed", cause);
            }
        }
        String message = cause.getMessage();
        Metadata trailers = new Metadata();
        if (cause instanceof BackingStoreUnavailableException) {
            trailers.put(FAILURE, STORE_UNAVAILABLE);
        }
        if (cause instanceof QuotaExceededException exceeded) {
            trailers.put(FAILURE, exceeded.reason().name());
        }
        if (cause instanceof BusyException busy) {
            trailers.put(PUSHBACK, Long.toString(busy.waitFor().toMillis()));
        }
        if (cause instanceof NotLeaderException other) {
            trailers.put(LEADER, other.leader().orElse(""));
        }
        if (cause instanceof MovedException moved) {
            trailers.put(GROUP, moved.group() + " " + moved.addresses());
            // Clients of an older version know no groups. They go there with all their mounts, and are sent on.
            trailers.put(LEADER, moved.first());
        }
        return status.withDescription(shortened(message == null ? cause.toString() : message))
                .withCause(cause)
                .asRuntimeException(trailers);
    }

    /** Returns the failure in a status: an {@link IOException}, or {@link IllegalArgumentException}. */
    public static Exception toException(Throwable failure) {
        Throwable cause = unwrap(failure);
        if (!(cause instanceof StatusRuntimeException known)) {
            return cause instanceof Exception e ? e : new IOException(cause);
        }
        String description = known.getStatus().getDescription();
        String message = description == null ? known.getMessage() : description;
        String text = message == null ? known.toString() : message;
        Metadata trailers = known.getTrailers();
        if (trailers != null && STORE_UNAVAILABLE.equals(trailers.get(FAILURE))) {
            return new BackingStoreUnavailableException(text, known);
        }
        String group = trailers == null ? null : trailers.get(GROUP);
        if (group != null && known.getStatus().getCode() == Status.Code.UNAVAILABLE) {
            int space = group.indexOf(' ');
            return new MovedException(text, group.substring(0, Math.max(0, space)), group.substring(space + 1), known);
        }
        Optional<QuotaExceededException> exceeded =
                trailers == null ? Optional.empty() : exceeded(trailers.get(FAILURE), text);
        if (exceeded.isPresent()) {
            return exceeded.get();
        }
        String leader = trailers == null ? null : trailers.get(LEADER);
        if (leader != null && known.getStatus().getCode() == Status.Code.UNAVAILABLE) {
            return new NotLeaderException(text, leader.isEmpty() ? Optional.empty() : Optional.of(leader), known);
        }
        OptionalLong wait = trailers == null ? OptionalLong.empty() : wait(trailers.get(PUSHBACK));
        if (wait.isPresent() && known.getStatus().getCode() == Status.Code.RESOURCE_EXHAUSTED) {
            return new BusyException(text, Duration.ofMillis(wait.getAsLong()), known);
        }
        Optional<String> untrusted = untrusted(known);
        if (untrusted.isPresent()) {
            return new IOException("no trusted connection: " + untrusted.get(), known);
        }
        return switch (known.getStatus().getCode()) {
            case UNAVAILABLE, DEADLINE_EXCEEDED, CANCELLED, RESOURCE_EXHAUSTED -> new UnavailableException(text, known);
            case FAILED_PRECONDITION -> new FencedException(text, known);
            case ABORTED -> new SessionExpiredException(text, known);
            case NOT_FOUND -> new MountNotOpenException(text);
            case PERMISSION_DENIED -> new DeniedException(text);
            case INVALID_ARGUMENT -> new IllegalArgumentException(text, known);
            default -> new IOException(text, known);
        };
    }

    /** Returns whether a call failed since the peer speaks an older protocol, which does not have it. */
    public static boolean isUnknownCall(IOException failure) {
        return failure.getCause() instanceof StatusRuntimeException known
                && known.getStatus().getCode() == Status.Code.UNIMPLEMENTED;
    }

    private static Optional<QuotaExceededException> exceeded(@Nullable String failure, String text) {
        return Stream.of(Outcome.NAMES_QUOTA, Outcome.BYTES_QUOTA)
                .filter(reason -> reason.name().equals(failure))
                .map(reason -> new QuotaExceededException(reason, text))
                .findFirst();
    }

    private static OptionalLong wait(@Nullable String millis) {
        if (millis == null || !millis.matches("[0-9]{1,9}")) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(Math.min(Long.parseLong(millis), LONGEST_PUSHBACK_MILLIS));
    }

    /** Returns the reason why one end distrusts the other's certificate, which another try does not mend. */
    private static Optional<String> untrusted(StatusRuntimeException failure) {
        if (failure.getStatus().getCode() != Status.Code.UNAVAILABLE) {
            return Optional.empty();
        }
        Optional<String> why = Optional.empty();
        for (Throwable cause = failure.getStatus().getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof CertificateException) {
                return Optional.of(String.valueOf(cause.getMessage()));
            }
            if (cause instanceof SSLException) {
                why = Optional.of(why.orElse(String.valueOf(cause.getMessage())));
            } else if (cause instanceof IOException) {
                // The connection broke during the handshake.
                return Optional.empty();
            }
        }
        return why.filter(words -> !BROKEN_HANDSHAKE.matcher(words).find());
    }

    /**
     * Shortens a message so that it fits into an answer's headers. A client takes 8 KB of them; more would end its
     * connection with all calls. In headers a character may take nine bytes.
     */
    public static String shortened(String message) {
        return message.length() <= MOST_CHARACTERS ? message : message.substring(0, MOST_CHARACTERS) + "...";
    }

    /** Shortens the message of a status, since a longer one would end the whole connection. */
    private static StatusRuntimeException bounded(StatusRuntimeException known) {
        String words = known.getStatus().getDescription();
        return words == null || words.length() <= MOST_CHARACTERS
                ? known
                : known.getStatus().withDescription(shortened(words)).asRuntimeException(known.getTrailers());
    }

    private static Throwable unwrap(Throwable failure) {
        Throwable t = failure;
        while ((t instanceof CompletionException || t instanceof ExecutionException) && t.getCause() != null) {
            t = t.getCause();
        }
        return t;
    }
}
