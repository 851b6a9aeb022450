// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.pull;

import io.packing.registry.oci.Digest;
import io.packing.registry.oci.NameRules;
import io.packing.registry.oci.OciException;

/**
 * An image of a registry.
 *
 * @param registry its host and port
 * @param reference a tag, or a digest
 */
public record ImageReference(String registry, String repository, String reference) {
    /**
     * Reads {@code HOST:PORT/REPOSITORY:TAG} or {@code HOST:PORT/REPOSITORY@DIGEST}; without either the tag is {@code latest}.
     *
     * @throws IllegalArgumentException for any other text
     */
    public static ImageReference parse(String text) {
        int slash = text.indexOf('/');
        String rest = text.substring(slash + 1);
        int at = rest.indexOf('@');
        int colon = rest.indexOf(':');
        int end = at >= 0 ? at : colon >= 0 ? colon : rest.length();
        String reference = end < rest.length() ? rest.substring(end + 1) : "latest";
        String repository = rest.substring(0, end);
        boolean isReference = at >= 0 ? isDigest(reference) : NameRules.isTag(reference);
        if (slash <= 0 || !NameRules.isRepository(repository) || !isReference) {
            throw new IllegalArgumentException(
                    "'%s' is no image: want HOST:PORT/REPOSITORY:TAG or HOST:PORT/REPOSITORY@DIGEST".formatted(text));
        }
        return new ImageReference(text.substring(0, slash), repository, reference);
    }

    private static boolean isDigest(String text) {
        try {
            return !Digest.parse(text).hex().isEmpty();
        } catch (OciException e) {
            return false;
        }
    }

    @Override
    public String toString() {
        return registry + "/" + repository + (Digest.isMeant(reference) ? "@" : ":") + reference;
    }
}
