package io.packing.registry.http;

import io.packing.registry.access.TokenAccess;
import io.packing.registry.oci.Names;
import io.packing.registry.oci.OciCode;
import io.packing.registry.oci.OciException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a path of the API means.
 *
 * @param repository empty for the base
 * @param reference a digest, tag or upload; may be empty
 */
record Route(Kind kind, String repository, String reference) {
    /** The endpoints of the specification, and one of ours, where it has room for extensions. */
    enum Kind {
        BASE,
        TOKEN,
        BLOB,
        LEAN,
        BEGIN_UPLOAD,
        UPLOAD,
        MANIFEST,
        TAGS,
        REFERRERS
    }

    private static final Pattern PATH = Pattern.compile(
            "/v2/(?<name>.+)/(?:(?<begin>blobs/uploads/?)|blobs/uploads/(?<upload>[^/]+)|blobs/(?<blob>[^/]+)"
                    + "|_packing/lean/(?<lean>[^/]+)|manifests/(?<manifest>[^/]+)|(?<tags>tags/list)|referrers/(?<referrers>[^/]+))");

    /** Empty when the path is no endpoint; an exception when it names no possible repository. */
    static Optional<Route> of(String path) throws OciException {
        if (path.equals("/v2/") || path.equals("/v2")) {
            return Optional.of(new Route(Kind.BASE, "", ""));
        }
        if (path.equals(TokenAccess.PATH)) {
            return Optional.of(new Route(Kind.TOKEN, "", ""));
        }
        Matcher matcher = PATH.matcher(path);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        String name = matcher.group("name");
        if (!Names.isRepository(name)) {
            throw new OciException(
                    OciCode.NAME_INVALID,
                    "'%.300s' is no name of a repository: want lower case letters, digits, and . _ - between them, with / between parts"
                            .formatted(name));
        }
        if (matcher.group("begin") != null) {
            return Optional.of(new Route(Kind.BEGIN_UPLOAD, name, ""));
        }
        if (matcher.group("tags") != null) {
            return Optional.of(new Route(Kind.TAGS, name, ""));
        }
        return Optional.ofNullable(matcher.group("upload"))
                .map(upload -> new Route(Kind.UPLOAD, name, upload))
                .or(() -> Optional.ofNullable(matcher.group("blob")).map(blob -> new Route(Kind.BLOB, name, blob)))
                .or(() -> Optional.ofNullable(matcher.group("lean")).map(layer -> new Route(Kind.LEAN, name, layer)))
                .or(() -> Optional.ofNullable(matcher.group("manifest"))
                        .map(manifest -> new Route(Kind.MANIFEST, name, manifest)))
                .or(() -> Optional.ofNullable(matcher.group("referrers"))
                        .map(subject -> new Route(Kind.REFERRERS, name, subject)));
    }
}
