// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.objects;

import io.packing.s3gateway.protocol.S3Exception;
import io.packing.s3gateway.protocol.Utf8Order;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * The end of a page of keys: the next page begins behind it.
 *
 * @param text a key, or the beginning of keys
 * @param isPrefix true if all keys that begin with the text lie before the bound, too
 */
record KeyBound(String text, boolean isPrefix) {
    /** The bound before all keys. */
    static final KeyBound NONE = new KeyBound("", false);

    private static final String OF_KEY = "k";
    private static final String OF_PREFIX = "p";

    /** Returns whether a key lies behind the bound. */
    boolean admits(String key) {
        return Utf8Order.INSTANCE.compare(key, text) > 0 && !(isPrefix && key.startsWith(text));
    }

    /** Returns whether some key with a beginning may lie behind the bound. */
    boolean admitsSome(String prefix) {
        if (isPrefix && prefix.startsWith(text)) {
            return false;
        }
        return text.startsWith(prefix) || Utf8Order.INSTANCE.compare(prefix, text) > 0;
    }

    /** Returns the continuation token of the page behind it. */
    String token() {
        String marked = (isPrefix ? OF_PREFIX : OF_KEY) + text;
        return Base64.getUrlEncoder().encodeToString(marked.getBytes(StandardCharsets.UTF_8));
    }

    static KeyBound ofToken(String token) throws S3Exception {
        try {
            String marked = new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8);
            if (marked.startsWith(OF_PREFIX) || marked.startsWith(OF_KEY)) {
                return new KeyBound(marked.substring(1), marked.startsWith(OF_PREFIX));
            }
        } catch (IllegalArgumentException e) {
            throw S3Exception.argument("the continuation token is none of this gateway's");
        }
        throw S3Exception.argument("the continuation token is none of this gateway's");
    }
}
