// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.http;

import io.packing.registry.access.Access;
import io.packing.registry.access.Right;
import io.packing.registry.oci.Digest;
import io.packing.registry.oci.NameRules;
import io.packing.registry.oci.OciCode;
import io.packing.registry.oci.OciException;
import io.packing.registry.store.Blobs;
import io.packing.registry.store.Uploads;
import java.io.IOException;
import java.util.Optional;

/** Push of blobs: at once, in chunks, or from another repository. */
final class UploadEndpoint {
    private final Blobs blobs;
    private final Uploads uploads;
    private final Access access;
    private final PushListener pushed;

    /** @param pushed learns of blobs */
    UploadEndpoint(Blobs blobs, Uploads uploads, Access access, PushListener pushed) {
        this.blobs = blobs;
        this.uploads = uploads;
        this.access = access;
        this.pushed = pushed;
    }

    void begin(Exchange exchange, String repository) throws IOException, OciException {
        Optional<String> mount = exchange.query("mount");
        if (mount.isPresent()) {
            Digest digest = Digest.parse(mount.get());
            if (wantsAnotherToken(exchange, repository)) {
                return;
            }
            if (mounted(exchange, repository, digest)) {
                created(exchange, repository, digest);
                return;
            }
        }
        if (exchange.query("digest").isPresent()) {
            Digest digest = Digest.parse(exchange.query("digest").get());
            String id = uploads.begin(repository);
            try {
                finish(exchange, repository, id, digest);
            } catch (IOException e) {
                abandon(repository, id, e);
                throw e;
            }
            return;
        }
        place(exchange, repository, uploads.begin(repository), 0).send(202);
    }

    /** Gives up an upload that only this request knows. */
    private void abandon(String repository, String id, IOException failure) {
        try {
            uploads.cancel(repository, id);
        } catch (IOException | OciException e) {
            failure.addSuppressed(e);
        }
    }

    /**
     * Asks a client for a token that is for the source as well, when its user may read that. One whose user may not is not asked: an
     * upload is begun for it, as the specification has it for a blob that cannot be mounted.
     */
    private boolean wantsAnotherToken(Exchange exchange, String repository) throws IOException {
        Optional<String> from = exchange.query("from").filter(NameRules::isRepository);
        if (from.isEmpty() || !access.isTokenForLess(exchange.header("Authorization"), from.get(), Right.PULL)) {
            return false;
        }
        String scope = "repository:%s:pull,push repository:%s:pull".formatted(repository, from.get());
        exchange.with("WWW-Authenticate", access.challenge(exchange.origin(), scope) + ",error=\"insufficient_scope\"");
        exchange.refuse(
                401, OciCode.UNAUTHORIZED.name(), "the token is not for the repository to mount from: " + from.get());
        return true;
    }

    private boolean mounted(Exchange exchange, String repository, Digest digest) throws IOException {
        Optional<String> from = exchange.query("from").filter(name -> !name.isEmpty());
        if (from.isEmpty()) {
            // Without a name the registry cannot tell whether the client may read the blob, unless all clients may.
            return access.isOpen() && blobs.mount(repository, digest);
        }
        return NameRules.isRepository(from.get())
                && access.check(exchange.header("Authorization"), from.get(), Right.PULL) == Access.Decision.ALLOWED
                && blobs.mount(repository, from.get(), digest);
    }

    void patch(Exchange exchange, String repository, String id) throws IOException, OciException {
        long end = append(exchange, repository, id);
        place(exchange, repository, id, end).send(202);
    }

    private long append(Exchange exchange, String repository, String id) throws IOException, OciException {
        try {
            return uploads.append(repository, id, from(exchange), exchange.body());
        } catch (OciException e) {
            hint(exchange, repository, id, e);
            throw e;
        }
    }

    /** Adds the offset at which a client has to go on that was refused for the place of its chunk. */
    private void hint(Exchange exchange, String repository, String id, OciException refusal)
            throws IOException, OciException {
        if (refusal.location().isPresent()) {
            place(exchange, repository, id, uploads.offset(repository, id));
        }
    }

    /** Returns the offset that a chunk names; the chunk must have the length that it names. */
    private static Optional<Long> from(Exchange exchange) throws OciException {
        Optional<String> header = exchange.header("Content-Range");
        if (header.isEmpty()) {
            return Optional.empty();
        }
        ByteRangeHeader range = ByteRangeHeader.ofChunk(header.get());
        if (exchange.contentLength() >= 0 && exchange.contentLength() != range.count()) {
            throw new OciException(
                    OciCode.SIZE_INVALID,
                    "the chunk %s has %d bytes".formatted(header.get(), exchange.contentLength()));
        }
        return Optional.of(range.first());
    }

    void put(Exchange exchange, String repository, String id) throws IOException, OciException {
        Optional<String> digest = exchange.query("digest");
        if (digest.isEmpty()) {
            throw new OciException(OciCode.DIGEST_INVALID, "the end of an upload needs ?digest=ALGORITHM:HEX");
        }
        finish(exchange, repository, id, Digest.parse(digest.get()));
    }

    private void finish(Exchange exchange, String repository, String id, Digest digest)
            throws IOException, OciException {
        boolean added;
        try {
            added = uploads.finish(repository, id, from(exchange), exchange.body(), digest);
        } catch (OciException e) {
            hint(exchange, repository, id, e);
            throw e;
        }
        if (added) {
            pushed.blob(repository, digest);
        }
        created(exchange, repository, digest);
    }

    private static void created(Exchange exchange, String repository, Digest digest) throws IOException {
        exchange.with("Location", "/v2/%s/blobs/%s".formatted(repository, digest))
                .with("Docker-Content-Digest", digest.toString())
                .send(201);
    }

    void status(Exchange exchange, String repository, String id) throws IOException, OciException {
        place(exchange, repository, id, uploads.offset(repository, id)).send(204);
    }

    void cancel(Exchange exchange, String repository, String id) throws IOException, OciException {
        uploads.cancel(repository, id);
        exchange.send(204);
    }

    private static Exchange place(Exchange exchange, String repository, String id, long count) {
        return exchange.with("Location", "/v2/%s/blobs/uploads/%s".formatted(repository, id))
                .with("Docker-Upload-UUID", id)
                .with("Range", "0-" + Math.max(0, count - 1));
    }
}
