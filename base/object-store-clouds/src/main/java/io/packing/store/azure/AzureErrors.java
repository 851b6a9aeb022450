// SPDX-License-Identifier: Apache-2.0
package io.packing.store.azure;

import com.azure.identity.CredentialUnavailableException;
import com.azure.storage.blob.models.BlobErrorCode;
import com.azure.storage.blob.models.BlobStorageException;
import io.packing.store.Attempts;
import io.packing.store.ObjectNotFoundException;
import io.packing.store.PreconditionFailedException;
import io.packing.store.RequestKind;
import io.packing.store.RequestedRange;
import io.packing.store.StoreLocation;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.file.FileSystemException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hc.core5.http.ConnectionRequestTimeoutException;
import org.apache.hc.core5.http.HttpException;
import org.jspecify.annotations.Nullable;

/** The translation of an answer or failure of Azure's client to the port's exceptions. */
final class AzureErrors {
    private static final Map<RequestKind, String> ACTIONS = Map.of(
            RequestKind.PUT, "blobs/write and blobs/add/action",
            RequestKind.GET, "blobs/read",
            RequestKind.HEAD, "blobs/read",
            RequestKind.LIST, "blobs/read",
            RequestKind.DELETE, "blobs/delete");
    private static final Set<BlobErrorCode> DAMAGED =
            Set.of(BlobErrorCode.MD5MISMATCH, BlobErrorCode.fromString("Crc64Mismatch"), BlobErrorCode.INVALID_MD5);
    private static final Set<BlobErrorCode> TAKEN = Set.of(
            BlobErrorCode.BLOB_ALREADY_EXISTS, BlobErrorCode.CONDITION_NOT_MET, BlobErrorCode.TARGET_CONDITION_NOT_MET);

    private final StoreLocation.AzureContainer location;
    private final AzureSource source;

    AzureErrors(StoreLocation.AzureContainer location, AzureSource source) {
        this.location = location;
        this.source = source;
    }

    /** Returns whether a put met an object under its key. */
    static boolean isTaken(BlobStorageException e) {
        return e.getStatusCode() == 412 || (e.getErrorCode() != null && TAKEN.contains(e.getErrorCode()));
    }

    /**
     * Returns the exception to throw; an {@link Attempts.Transient} when another attempt may succeed.
     *
     * @param attempt that has failed, from 1
     */
    IOException translate(RequestKind kind, String what, int attempt, RuntimeException e) {
        Optional<NamedToken.NoToken> none = cause(e, NamedToken.NoToken.class);
        if (none.isPresent()) {
            return ofToken(none.get().reason());
        }
        Optional<BlobStorageException> answer = cause(e, BlobStorageException.class);
        if (answer.isPresent()) {
            return ofAnswer(kind, what, attempt, answer.get());
        }
        Optional<InterruptedIOException> interrupted = cause(e, InterruptedIOException.class)
                .filter(each -> !(each instanceof SocketTimeoutException)
                        && !(each instanceof ConnectionRequestTimeoutException));
        if (Thread.currentThread().isInterrupted() || interrupted.isPresent()) {
            Thread.currentThread().interrupt();
            return Attempts.interrupted(what, e);
        }
        if (cause(e, CertificateException.class).isPresent()
                || cause(e, CertPathBuilderException.class).isPresent()) {
            return new IOException(
                    "%s: the certificate of the store is not trusted: %s. Name its authority in packing.s3.ca.file"
                            .formatted(location.text(), describe(e)),
                    e);
        }
        if (cause(e, IOException.class).isPresent()
                || cause(e, HttpException.class).isPresent()) {
            return new Attempts.Transient(describe(e), false, e);
        }
        return new IOException("%s: %s: %s".formatted(location.text(), what, describe(e)), e);
    }

    private IOException ofToken(Throwable reason) {
        String message = source.failed(describe(reason));
        // A file that is missing stays so, and a machine without an identity says so.
        boolean passing = cause(reason, IOException.class).isPresent()
                && cause(reason, FileSystemException.class).isEmpty()
                && cause(reason, CredentialUnavailableException.class).isEmpty();
        return passing
                ? new Attempts.Transient(message, false, "", reason)
                : new IOException("%s: %s".formatted(location.text(), message), reason);
    }

    private IOException ofAnswer(RequestKind kind, String what, int attempt, BlobStorageException e) {
        int status = e.getStatusCode();
        @Nullable BlobErrorCode code = e.getErrorCode();
        String told = "%d %s".formatted(status, code == null ? "" : code).strip();
        if (status == 503 || status == 429) {
            return new Attempts.Transient("throttled (%s)".formatted(told), true, e);
        }
        if (status < 300) {
            return new Attempts.Transient("the answer is not whole (%s)".formatted(told), false, e);
        }
        if (status >= 500 || status == 408) {
            return new Attempts.Transient("server error " + told, false, e);
        }
        if (code != null && DAMAGED.contains(code)) {
            return RequestedRange.wrong(what, "the store refused the bytes: " + told, attempt);
        }
        if (BlobErrorCode.CONTAINER_NOT_FOUND.equals(code)) {
            return new IOException(
                    "%s: there is no container %s; create container %s in account %s or fix packing.store"
                            .formatted(location.text(), location.container(), location.container(), location.account()),
                    e);
        }
        if (status == 404) {
            return new ObjectNotFoundException("%s: no such object".formatted(what), e);
        }
        if (isTaken(e)) {
            return new PreconditionFailedException("%s: the object already exists".formatted(what), e);
        }
        if (status == 401 || status == 403) {
            return new IOException(
                    "%s: %s: credentials refused (%s): %s. Next: %s, and allow it %s on container %s"
                            .formatted(
                                    location.text(),
                                    what,
                                    told,
                                    source.name(),
                                    source.remedy(),
                                    ACTIONS.get(kind),
                                    location.container()),
                    e);
        }
        return new IOException("%s: %s: %s".formatted(location.text(), what, told), e);
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse("").strip();
    }

    private static <T extends Throwable> Optional<T> cause(Throwable e, Class<T> kind) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (kind.isInstance(cause)) {
                return Optional.of(kind.cast(cause));
            }
        }
        return Optional.empty();
    }

    private static String describe(Throwable e) {
        Throwable deepest = e;
        while (deepest.getCause() != null) {
            deepest = deepest.getCause();
        }
        return "%s: %s".formatted(deepest.getClass().getSimpleName(), firstLine(String.valueOf(deepest.getMessage())));
    }
}
