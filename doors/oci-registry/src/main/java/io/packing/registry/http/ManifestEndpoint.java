// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.http;

import io.packing.registry.dedup.LayerForm;
import io.packing.registry.oci.Digest;
import io.packing.registry.oci.Manifest;
import io.packing.registry.oci.MediaTypes;
import io.packing.registry.oci.NameRules;
import io.packing.registry.oci.OciCode;
import io.packing.registry.oci.OciException;
import io.packing.registry.store.Manifests;
import io.packing.registry.store.StoredManifest;
import java.io.IOException;
import java.util.Optional;

/** Pull, push and deletion of manifests and tags. */
final class ManifestEndpoint {
    private final Manifests manifests;
    private final PushListener pushed;
    private final Optional<LayerForm> translated;
    private final Optional<UserPulls> pulls;

    /**
     * Makes the endpoint.
     *
     * @param pushed learns of pushes
     * @param translated the form of layers for pulls by tag, where it exists
     * @param pulls learns of pulls
     */
    ManifestEndpoint(
            Manifests manifests, PushListener pushed, Optional<LayerForm> translated, Optional<UserPulls> pulls) {
        this.manifests = manifests;
        this.pushed = pushed;
        this.translated = translated;
        this.pulls = pulls;
    }

    void get(Exchange exchange, String repository, String reference) throws IOException, OciException {
        Optional<StoredManifest> found = Digest.isMeant(reference)
                ? manifests.byDigest(repository, Digest.parse(reference))
                : byTag(exchange, repository, checkedTag(reference));
        StoredManifest manifest = found.orElseThrow(() -> unknown(repository, reference));
        if (pulls.isPresent() && !exchange.isHead()) {
            pulls.get().manifest(exchange, repository, manifest);
        }
        if (translated.isPresent()) {
            exchange.with("Vary", "Accept");
        }
        exchange.with("Docker-Content-Digest", manifest.digest().toString())
                .with("ETag", "\"" + manifest.digest() + "\"")
                .send(200, shownType(manifest), manifest.bytes());
    }

    /**
     * Returns the type of an answer. A manifest of another type was pushed before types were checked: it is sent as
     * bytes, which no browser shows.
     */
    private static String shownType(StoredManifest manifest) {
        return MediaTypes.isManifest(manifest.mediaType()) ? manifest.mediaType() : "application/octet-stream";
    }

    /** Returns the manifest of a tag, in the other form if the client accepts its media type. */
    private Optional<StoredManifest> byTag(Exchange exchange, String repository, String tag) throws IOException {
        Optional<StoredManifest> pushedSo = manifests.byTag(repository, tag);
        if (pushedSo.isPresent() && translated.isPresent()) {
            Optional<StoredManifest> other =
                    manifests.translated(repository, pushedSo.get().digest(), translated.get());
            if (other.isPresent() && exchange.accepts(other.get().mediaType())) {
                return other;
            }
        }
        return pushedSo;
    }

    void put(Exchange exchange, String repository, String reference) throws IOException, OciException {
        Optional<Digest> wanted = Optional.empty();
        Optional<String> tag = Optional.empty();
        if (Digest.isMeant(reference)) {
            wanted = Optional.of(Digest.parse(reference));
        } else {
            tag = Optional.of(checkedTag(reference));
        }
        byte[] bytes = body(exchange);
        Digest digest =
                wanted.map(Digest::algorithm).orElse(Digest.Algorithm.SHA256).of(bytes);
        if (wanted.isPresent() && !wanted.get().equals(digest)) {
            throw new OciException(
                    OciCode.DIGEST_INVALID, "the manifest has digest %s, not %s".formatted(digest, wanted.get()));
        }
        String contentType = MediaTypes.bare(exchange.header("Content-Type").orElse(""));
        Manifest manifest = Manifest.parse(bytes, contentType);
        String mediaType = contentType.isEmpty() ? manifest.mediaType() : contentType;
        if (!MediaTypes.isManifest(mediaType)) {
            // Browsers would believe any other type, from the registry's own address.
            throw new OciException(
                    OciCode.MANIFEST_INVALID,
                    "the manifest is refused: Content-Type or mediaType is '%.100s', and has to be %s"
                            .formatted(mediaType, MediaTypes.MANIFESTS));
        }
        manifests.put(repository, new StoredManifest(digest, mediaType, bytes), manifest, tag);
        pushed.manifest(repository, digest);
        manifest.subject().ifPresent(subject -> exchange.with("OCI-Subject", subject.toString()));
        exchange.with("Location", "/v2/%s/manifests/%s".formatted(repository, digest))
                .with("Docker-Content-Digest", digest.toString())
                .send(201);
    }

    private static byte[] body(Exchange exchange) throws IOException, OciException {
        byte[] bytes = exchange.contentLength() > Manifest.MAX_BYTES
                ? new byte[0]
                : exchange.body().readNBytes(Manifest.MAX_BYTES + 1);
        if (exchange.contentLength() > Manifest.MAX_BYTES || bytes.length > Manifest.MAX_BYTES) {
            throw OciException.tooLarge(
                    OciCode.SIZE_INVALID, "a manifest has at most %,d bytes".formatted(Manifest.MAX_BYTES));
        }
        return bytes;
    }

    void delete(Exchange exchange, String repository, String reference) throws IOException, OciException {
        boolean deleted = Digest.isMeant(reference)
                ? manifests.delete(repository, Digest.parse(reference))
                : manifests.deleteTag(repository, checkedTag(reference));
        if (!deleted) {
            throw unknown(repository, reference);
        }
        exchange.send(202);
    }

    private static String checkedTag(String reference) throws OciException {
        if (!NameRules.isTag(reference)) {
            throw new OciException(
                    OciCode.MANIFEST_INVALID,
                    "'%.200s' is neither a digest nor a tag; a tag has up to 128 letters, digits and . _ -"
                            .formatted(reference));
        }
        return reference;
    }

    private static OciException unknown(String repository, String reference) {
        return new OciException(
                OciCode.MANIFEST_UNKNOWN, "repository %s has no manifest %.200s".formatted(repository, reference));
    }
}
