// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.http;

import com.github.luben.zstd.ZstdOutputStream;
import io.packing.registry.access.Access;
import io.packing.registry.access.Right;
import io.packing.registry.dedup.ClientFileList;
import io.packing.registry.dedup.LeanLayers;
import io.packing.registry.oci.Digest;
import io.packing.registry.oci.NameRules;
import io.packing.registry.oci.OciCode;
import io.packing.registry.oci.OciException;
import io.packing.registry.store.BlobSource;
import io.packing.registry.store.Blobs;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Gives layers without the files that a client has. No stock client asks here. */
final class LeanEndpoint {
    /** The level of zstd: most of the sent files are not compressed yet. */
    private static final int LEVEL = 3;

    private final Blobs blobs;
    private final LeanLayers lean;
    private final Access access;
    private final HttpRequestListener listener;

    LeanEndpoint(Blobs blobs, LeanLayers lean, Access access, HttpRequestListener listener) {
        this.blobs = blobs;
        this.lean = lean;
        this.access = access;
        this.listener = listener;
    }

    void get(Exchange exchange, String repository, String reference) throws IOException, OciException {
        Digest digest = Digest.parse(reference);
        if (!blobs.has(repository, digest)) {
            throw new OciException(OciCode.BLOB_UNKNOWN, "repository %s has no blob %s".formatted(repository, digest));
        }
        Set<String> had = had(exchange, ClientFileList.read(exchange.body()));
        Optional<InputStream> opened = lean.open(digest, had, listener::omitted);
        if (opened.isEmpty()) {
            exchange.with("Location", "/v2/%s/blobs/%s".formatted(repository, digest))
                    .send(303);
            return;
        }
        try (InputStream bytes = opened.get()) {
            exchange.pulls(BlobSource.LEAN);
            OutputStream out = exchange.begin(200, LeanLayers.MEDIA_TYPE);
            if (!exchange.isHead()) {
                // A broken answer is not closed: it would look whole.
                try (OutputStream compressed = new ZstdOutputStream(leavingOpen(out), LEVEL)) {
                    long unused = bytes.transferTo(compressed);
                }
            }
            out.close();
        }
    }

    private static OutputStream leavingOpen(OutputStream out) {
        return new FilterOutputStream(out) {
            @Override
            public void write(byte[] bytes, int offset, int count) throws IOException {
                out.write(bytes, offset, count);
            }

            @Override
            public void close() {
                // The caller that opened the stream closes it.
            }
        };
    }

    /**
     * Returns the files that a client has. Layers that it may not pull, or that are not here, do not count: the answer
     * would reveal their content.
     */
    private Set<String> had(Exchange exchange, ClientFileList held) throws IOException {
        List<Digest> layers = new ArrayList<>();
        Optional<String> authorization = exchange.header("Authorization");
        for (ClientFileList.Layer layer : held.layers()) {
            if (NameRules.isRepository(layer.repository())
                    && access.check(authorization, layer.repository(), Right.PULL) == Access.Decision.ALLOWED
                    && blobs.has(layer.repository(), layer.digest())) {
                layers.add(layer.digest());
            }
        }
        Set<String> all = new HashSet<>(held.files());
        all.addAll(lean.files(layers));
        return all;
    }
}
