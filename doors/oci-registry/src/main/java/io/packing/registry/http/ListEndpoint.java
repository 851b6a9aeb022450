// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.http;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.packing.bdt.UnavailableException;
import io.packing.registry.oci.Digest;
import io.packing.registry.oci.Manifest;
import io.packing.registry.oci.MediaTypes;
import io.packing.registry.oci.NameRules;
import io.packing.registry.oci.OciCode;
import io.packing.registry.oci.OciException;
import io.packing.registry.store.Catalog;
import io.packing.registry.store.Manifests;
import io.packing.registry.store.StoredManifest;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Predicate;

/** Lists of repositories, of tags and of referrers, in pages. */
final class ListEndpoint {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int MOST_TAGS = 1_000;
    private static final int MOST_REFERRERS = 100;

    private static final int MOST_REPOSITORIES = 1_000;
    /** A client that may see few of many repositories has all of them looked through for a page. */
    private static final int MOST_CATALOGS = 2;

    private final Manifests manifests;
    private final Catalog catalog;
    private final Semaphore catalogs = new Semaphore(MOST_CATALOGS);

    ListEndpoint(Manifests manifests, Catalog catalog) {
        this.manifests = manifests;
        this.catalog = catalog;
    }

    /**
     * Answers with a page of the names of repositories.
     *
     * @param isVisible true for each name that the client may see
     */
    void repositories(Exchange exchange, Predicate<String> isVisible) throws IOException, OciException {
        int limit = limit(exchange, MOST_REPOSITORIES);
        String last = exchange.query("last").orElse("");
        if (!last.isEmpty() && !NameRules.isRepository(last)) {
            throw new OciException(OciCode.UNSUPPORTED, "last=%.300s is no name of a repository".formatted(last));
        }
        if (!catalogs.tryAcquire()) {
            throw new UnavailableException("other clients have the repositories listed");
        }
        List<String> found;
        try {
            found = catalog.page(last, limit + 1, isVisible);
        } finally {
            catalogs.release();
        }
        List<String> page = found.subList(0, Math.min(limit, found.size()));
        if (found.size() > limit && limit > 0) {
            String next = URLEncoder.encode(page.get(limit - 1), StandardCharsets.UTF_8);
            exchange.with("Link", "</v2/_catalog?n=%d&last=%s>; rel=\"next\"".formatted(limit, next));
        }
        exchange.sendJson(200, Map.of("repositories", page));
    }

    void tags(Exchange exchange, String repository) throws IOException, OciException {
        int limit = limit(exchange, MOST_TAGS);
        String last = exchange.query("last").orElse("");
        if (!last.isEmpty() && !NameRules.isTag(last)) {
            throw new OciException(OciCode.UNSUPPORTED, "last=%.200s is no tag".formatted(last));
        }
        // One more entry than a page shows whether another page follows.
        List<String> found = manifests
                .tags(repository, last, limit + 1)
                .orElseThrow(() -> new OciException(OciCode.NAME_UNKNOWN, "there is no repository " + repository));
        List<String> page = found.subList(0, Math.min(limit, found.size()));
        if (found.size() > limit && limit > 0) {
            exchange.with(
                    "Link",
                    "</v2/%s/tags/list?n=%d&last=%s>; rel=\"next\"".formatted(repository, limit, page.get(limit - 1)));
        }
        exchange.sendJson(200, Map.of("name", repository, "tags", page));
    }

    private static int limit(Exchange exchange, int most) throws OciException {
        Optional<String> n = exchange.query("n");
        if (n.isEmpty()) {
            return most;
        }
        if (!n.get().matches("[0-9]{1,9}")) {
            throw new OciException(OciCode.SIZE_INVALID, "n=%.40s is no number of entries".formatted(n.get()));
        }
        return Math.min(most, Integer.parseInt(n.get()));
    }

    void referrers(Exchange exchange, String repository, String reference) throws IOException, OciException {
        Digest subject = Digest.parse(reference);
        Optional<String> type = exchange.query("artifactType");
        String last = exchange.query("last").orElse("");
        List<StoredManifest> found = manifests.referrers(repository, subject, last, MOST_REFERRERS + 1);
        List<StoredManifest> page = found.subList(0, Math.min(MOST_REFERRERS, found.size()));
        ObjectNode index = JSON.createObjectNode();
        index.put("schemaVersion", 2).put("mediaType", MediaTypes.OCI_INDEX);
        ArrayNode descriptors = index.putArray("manifests");
        for (StoredManifest stored : page) {
            Manifest manifest = stored.parsed();
            if (type.isEmpty() || type.get().equals(manifest.artifactType())) {
                describe(stored, manifest, descriptors.addObject());
            }
        }
        type.ifPresent(unused -> exchange.with("OCI-Filters-Applied", "artifactType"));
        if (found.size() > MOST_REFERRERS) {
            exchange.with(
                    "Link",
                    "</v2/%s/referrers/%s?last=%s%s>; rel=\"next\""
                            .formatted(
                                    repository,
                                    subject,
                                    page.get(MOST_REFERRERS - 1).digest(),
                                    type.map(text -> "&artifactType=" + URLEncoder.encode(text, StandardCharsets.UTF_8))
                                            .orElse("")));
        }
        exchange.sendJson(200, MediaTypes.OCI_INDEX, index);
    }

    private static void describe(StoredManifest stored, Manifest manifest, ObjectNode descriptor) {
        descriptor
                .put("mediaType", stored.mediaType())
                .put("digest", stored.digest().toString())
                .put("size", stored.bytes().length);
        if (!manifest.artifactType().isEmpty()) {
            descriptor.put("artifactType", manifest.artifactType());
        }
        if (!manifest.annotations().isEmpty()) {
            descriptor.set("annotations", manifest.annotations());
        }
    }
}
