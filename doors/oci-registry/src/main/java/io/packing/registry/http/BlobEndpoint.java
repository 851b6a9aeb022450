// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.http;

import io.packing.registry.nodes.PullCounts;
import io.packing.registry.oci.Digest;
import io.packing.registry.oci.OciCode;
import io.packing.registry.oci.OciException;
import io.packing.registry.store.BlobContent;
import io.packing.registry.store.Blobs;
import io.packing.registry.web.BodyStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;

/** Pull and deletion of blobs. */
final class BlobEndpoint {
    private static final String OCTETS = "application/octet-stream";
    /** Memory for checksums: enough for 4 TiB of layers. */
    private static final long PROVED_BYTES = 16L << 20;

    private final Blobs blobs;
    private final Optional<UserPulls> pulls;
    private final Optional<PullCounts> counts;
    private final VerifiedCopy copy = new VerifiedCopy(new ProvedBlobs(PROVED_BYTES));

    /**
     * Makes an endpoint over blobs.
     *
     * @param pulls learns of pulls, and may have the bytes nearer
     * @param counts of pulls, where they decide how layers are kept
     */
    BlobEndpoint(Blobs blobs, Optional<UserPulls> pulls, Optional<PullCounts> counts) {
        this.blobs = blobs;
        this.pulls = pulls;
        this.counts = counts;
    }

    void get(Exchange exchange, String repository, String reference) throws IOException, OciException {
        Digest digest = Digest.parse(reference);
        BlobContent blob = blobs.find(repository, digest).orElseThrow(() -> unknown(repository, digest));
        exchange.with("Docker-Content-Digest", digest.toString())
                .with("Accept-Ranges", "bytes")
                .with("ETag", "\"" + digest + "\"")
                .with("Cache-Control", "max-age=31536000");
        Optional<ByteRangeHeader> range = Optional.empty();
        if (!exchange.isHead()
                && exchange.header("Range").isPresent()
                && exchange.header("If-Range").isEmpty()) {
            range = ByteRangeHeader.ofRange(exchange.header("Range").get(), blob.length());
        }
        if (!exchange.isHead() && (range.isEmpty() || range.get().first() == 0)) {
            counts.ifPresent(each -> each.pulled(digest));
        }
        if (exchange.isHead()) {
            exchange.begin(200, OCTETS, blob.length()).close();
        } else if (range.isPresent()) {
            sendRange(exchange, blob, range.get());
        } else {
            sendWhole(exchange, digest, pulls.isPresent() ? pulls.get().blob(exchange, digest, blob) : blob);
        }
    }

    private void sendWhole(Exchange exchange, Digest digest, BlobContent blob) throws IOException {
        // Opened first: a failure is still an answer then.
        try (InputStream bytes = blob.open(0)) {
            exchange.pulls(blob.source());
            BodyStream out = exchange.begin(200, OCTETS, blob.length());
            copy.copy(bytes, out, digest, blob.length());
            out.close();
        } catch (VerifiedCopy.WrongBytesException e) {
            pulls.ifPresent(each -> each.wrongBytes(digest));
            try {
                blobs.doubt(digest);
            } catch (IOException unknown) {
                e.addSuppressed(unknown);
            }
            throw e;
        }
    }

    private static void sendRange(Exchange exchange, BlobContent blob, ByteRangeHeader range) throws IOException {
        try (InputStream bytes = blob.open(range.first())) {
            exchange.with("Content-Range", "bytes %d-%d/%d".formatted(range.first(), range.last(), blob.length()));
            OutputStream out = exchange.begin(206, OCTETS, range.count());
            VerifiedCopy.copyRange(bytes, out, range.count());
            out.close();
        }
    }

    void delete(Exchange exchange, String repository, String reference) throws IOException, OciException {
        Digest digest = Digest.parse(reference);
        if (!blobs.unlink(repository, digest)) {
            throw unknown(repository, digest);
        }
        exchange.with("Docker-Content-Digest", digest.toString()).send(202);
    }

    private static OciException unknown(String repository, Digest digest) {
        return new OciException(OciCode.BLOB_UNKNOWN, "repository %s has no blob %s".formatted(repository, digest));
    }
}
