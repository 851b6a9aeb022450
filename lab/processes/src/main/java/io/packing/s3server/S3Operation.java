// SPDX-License-Identifier: Apache-2.0
package io.packing.s3server;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The operation of a request, from its method and URL.
 *
 * @param prefix the first component of the object key or of the listed prefix, or empty
 */
record S3Operation(Kind kind, String prefix) {
    enum Kind {
        PUT,
        GET,
        LIST,
        HEAD,
        DELETE;

        /** Returns whether stores price and limit the operation as a write. */
        boolean isPutClass() {
            return this != GET && this != HEAD;
        }
    }

    /** Reads a path-style request: {@code /bucket/key?query}. */
    static S3Operation of(String method, String rawPath, @Nullable String rawQuery) {
        String query = rawQuery == null ? "" : rawQuery;
        int keyAt = rawPath.indexOf('/', 1);
        String key = keyAt < 0 ? "" : rawPath.substring(keyAt + 1);
        Kind kind = switch (method) {
            case "PUT" -> Kind.PUT;
            case "POST" -> isParameter(query, "delete") ? Kind.DELETE : Kind.PUT;
            case "DELETE" -> Kind.DELETE;
            case "HEAD" -> Kind.HEAD;
            default -> key.isEmpty() ? Kind.LIST : Kind.GET;
        };
        return new S3Operation(kind, firstComponent(kind == Kind.LIST ? parameter(query, "prefix") : key));
    }

    private static boolean isParameter(String query, String name) {
        for (String part : query.split("&", -1)) {
            if (part.equals(name) || part.startsWith(name + "=")) {
                return true;
            }
        }
        return false;
    }

    private static String parameter(String query, String name) {
        for (String part : query.split("&", -1)) {
            if (part.startsWith(name + "=")) {
                return part.substring(name.length() + 1);
            }
        }
        return "";
    }

    private static String firstComponent(String encoded) {
        String decoded;
        try {
            decoded = URLDecoder.decode(encoded, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return "";
        }
        int slash = decoded.indexOf('/');
        return slash < 0 ? decoded : decoded.substring(0, slash);
    }
}
