// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.http;

import io.packing.registry.access.TokenAccess;
import io.packing.registry.oci.NameRules;
import io.packing.registry.oci.OciCode;
import io.packing.registry.oci.OciException;
import java.util.List;
import java.util.Optional;

/**
 * The meaning of a path of the API.
 *
 * @param repository empty for the base, tokens and the list of all repositories
 * @param reference a digest, tag or upload; may be empty
 */
record Route(Kind kind, String repository, String reference) {
    /** The endpoints of the specification, and one of ours, where it has room for extensions. */
    enum Kind {
        BASE,
        TOKEN,
        CATALOG,
        BLOB,
        LEAN,
        BEGIN_UPLOAD,
        UPLOAD,
        MANIFEST,
        TAGS,
        REFERRERS
    }

    private static final String BASE_PATH = "/v2/";

    /** An endpoint, and the text between the name of the repository and the reference. */
    private record End(Kind kind, String text) {}

    /** The longer ones first: others end like them. */
    private static final List<End> ENDS = List.of(
            new End(Kind.UPLOAD, "/blobs/uploads"),
            new End(Kind.BLOB, "/blobs"),
            new End(Kind.LEAN, "/_packing/lean"),
            new End(Kind.MANIFEST, "/manifests"),
            new End(Kind.REFERRERS, "/referrers"));

    /**
     * Returns the route of a path; empty when the path is no endpoint. An exception says that it names no possible
     * repository.
     */
    static Optional<Route> of(String path) throws OciException {
        if (path.equals("/v2/") || path.equals("/v2")) {
            return Optional.of(new Route(Kind.BASE, "", ""));
        }
        if (path.equals(TokenAccess.PATH)) {
            return Optional.of(new Route(Kind.TOKEN, "", ""));
        }
        if (path.equals("/v2/_catalog")) {
            return Optional.of(new Route(Kind.CATALOG, "", ""));
        }
        // Without a regular expression: paths are as long as clients like.
        if (!path.startsWith(BASE_PATH)) {
            return Optional.empty();
        }
        String whole = path.endsWith("/blobs/uploads/") ? path.substring(0, path.length() - 1) : path;
        if (whole.endsWith("/blobs/uploads")) {
            return of(Kind.BEGIN_UPLOAD, whole, "/blobs/uploads".length(), "");
        }
        if (whole.endsWith("/tags/list")) {
            return of(Kind.TAGS, whole, "/tags/list".length(), "");
        }
        int slash = whole.lastIndexOf('/');
        String reference = whole.substring(slash + 1);
        String above = whole.substring(0, slash);
        for (End end : ENDS) {
            if (above.endsWith(end.text()) && !reference.isEmpty()) {
                return of(end.kind(), above, end.text().length(), reference);
            }
        }
        return Optional.empty();
    }

    /** @param end characters behind the name of the repository */
    private static Optional<Route> of(Kind kind, String path, int end, String reference) throws OciException {
        int from = BASE_PATH.length();
        int to = path.length() - end;
        if (to <= from) {
            return Optional.empty();
        }
        String name = path.substring(from, to);
        if (!NameRules.isRepository(name)) {
            throw new OciException(
                    OciCode.NAME_INVALID,
                    "'%.300s' is no name of a repository: want lower case letters, digits, and . _ - between them, with / between parts"
                            .formatted(name));
        }
        return Optional.of(new Route(kind, name, reference));
    }
}
