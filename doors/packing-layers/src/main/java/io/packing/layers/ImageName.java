// SPDX-License-Identifier: Apache-2.0
package io.packing.layers;

import io.packing.registry.oci.NameRules;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/**
 * The name of an image as engines have it, {@code HOST/REPOSITORY:TAG} or {@code HOST/REPOSITORY@DIGEST}. The host is that of the
 * registry for its clients, and is of no matter here.
 *
 * @param repository without the host
 * @param reference a tag or a digest
 */
public record ImageName(String repository, String reference) {
    private static final String LATEST = "latest";

    /** Reads a name; empty: it is none. */
    public static Optional<ImageName> parse(String text) {
        String rest = withoutHost(text);
        int at = rest.indexOf('@');
        String name = at < 0 ? rest : rest.substring(0, at);
        int colon = name.indexOf(':');
        String repository = colon < 0 ? name : name.substring(0, colon);
        String tag = colon < 0 ? LATEST : name.substring(colon + 1);
        String reference = at < 0 ? tag : rest.substring(at + 1);
        return NameRules.isRepository(repository) && !reference.isEmpty()
                ? Optional.of(new ImageName(repository, reference))
                : Optional.empty();
    }

    /** Reads a name in base64, as engines name directories of an additional layer store. */
    static Optional<ImageName> decode(String directory) {
        try {
            return parse(new String(Base64.getDecoder().decode(directory), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static String withoutHost(String text) {
        int slash = text.indexOf('/');
        String first = slash < 0 ? "" : text.substring(0, slash);
        boolean isHost = first.equals("localhost") || first.indexOf('.') >= 0 || first.indexOf(':') >= 0;
        return isHost ? text.substring(slash + 1) : text;
    }
}
