// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.http;

import io.packing.registry.access.Access;
import io.packing.registry.cache.Prefetch;
import io.packing.registry.oci.Digest;
import io.packing.registry.oci.OciException;
import io.packing.registry.store.BlobContent;
import io.packing.registry.store.StoredManifest;

/** Tells a cache which user pulls which image. */
final class UserPulls {
    private final Prefetch prefetch;
    private final Access access;

    UserPulls(Prefetch prefetch, Access access) {
        this.prefetch = prefetch;
        this.access = access;
    }

    private String user(Exchange exchange) {
        return prefetch.user(exchange.remoteAddress(), () -> access.user(exchange.header("Authorization")));
    }

    /** Notes the pull of a manifest. */
    void manifest(Exchange exchange, String repository, StoredManifest manifest) {
        try {
            prefetch.manifestPulled(user(exchange), repository, manifest.parsed());
        } catch (OciException e) {
            // It was a manifest when it was pushed, and the client gets it anyway.
            throw new IllegalStateException("manifest %s cannot be read".formatted(manifest.digest()), e);
        }
    }

    /** Notes the pull of a whole blob; returns the source of its bytes. */
    BlobContent blob(Exchange exchange, Digest digest, BlobContent stored) {
        return prefetch.blobPulled(user(exchange), digest, stored);
    }

    /** Bytes that came from there were wrong. */
    void wrongBytes(Digest digest) {
        prefetch.wrongBytes(digest);
    }
}
