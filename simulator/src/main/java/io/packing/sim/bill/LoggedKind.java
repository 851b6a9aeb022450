// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.bill;

import java.util.Optional;
import java.util.Set;

/** The kind by which a store bills a line of its access log. */
public enum LoggedKind {
    PUT,
    LIST,
    GET,
    HEAD,
    DELETE,
    /** A line that is no request of its own: an object of a batch that another line stands for, the source of a copy, a rule's work. */
    NO_REQUEST;

    private static final Set<String> LISTINGS =
            Set.of("BUCKET", "BUCKETVERSIONS", "UPLOADS", "UPLOAD", "SERVICE", "OBJECTVERSIONS");

    /**
     * Returns the kind of an operation, such as {@code REST.PUT.OBJECT}: who asked, the method, the resource. Empty: no operation is
     * known by such a name.
     */
    static Optional<LoggedKind> of(String operation) {
        String[] parts = operation.split("\\.", -1);
        if (parts.length < 3) {
            return Optional.empty();
        }
        String resource = parts[2];
        return switch (parts[0]) {
            // Rules that expire and move objects: the requests are the store's own.
            case "S3" -> Optional.of(NO_REQUEST);
            case "BATCH" -> parts[1].equals("DELETE") ? Optional.of(NO_REQUEST) : Optional.empty();
            case "REST", "SOAP", "WEBSITE" -> ofMethod(parts[1], resource);
            default -> Optional.empty();
        };
    }

    private static Optional<LoggedKind> ofMethod(String method, String resource) {
        return switch (method) {
            case "PUT" -> Optional.of(PUT);
            case "POST" -> Optional.of(resource.equals("MULTI_OBJECT_DELETE") ? DELETE : PUT);
            // The line of the source beside that of the copy: one COPY is billed.
            case "COPY" -> Optional.of(resource.endsWith("_GET") ? NO_REQUEST : PUT);
            case "GET" -> Optional.of(LISTINGS.contains(resource) ? LIST : GET);
            case "HEAD", "OPTIONS" -> Optional.of(HEAD);
            case "DELETE" -> Optional.of(DELETE);
            default -> Optional.empty();
        };
    }
}
