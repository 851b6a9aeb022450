// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.http;

import io.packing.s3gateway.objects.ObjectAttributes;
import io.packing.s3gateway.protocol.S3Code;
import io.packing.s3gateway.protocol.S3Exception;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The headers by which a client gives an object attributes. */
final class GivenHeaders {
    /** Headers of content that answers repeat. */
    static final List<String> OF_CONTENT = List.of(
            "cache-control", "content-disposition", "content-encoding", "content-language", "content-type", "expires");

    /** Beginnings of headers that ask for absent features. A gateway that ignored them would promise these. */
    private static final List<String> REFUSED = List.of(
            "x-amz-server-side-encryption",
            "x-amz-object-lock-",
            "x-amz-grant-",
            "x-amz-website-redirect-location",
            "x-amz-write-offset-bytes");

    private GivenHeaders() {}

    /** Returns the attributes of a new object. */
    static ObjectAttributes attributes(S3Exchange exchange) throws S3Exception {
        refuseUnknown(exchange);
        return ObjectAttributes.given(
                kept(exchange),
                exchange.header("x-amz-tagging").isPresent()
                        ? TagEndpoint.checked(exchange.header("x-amz-tagging").get())
                        : "");
    }

    static SortedMap<String, String> kept(S3Exchange exchange) {
        SortedMap<String, String> kept = new TreeMap<>();
        for (Map.Entry<String, String> each : exchange.signed().headers().entrySet()) {
            String name = each.getKey();
            if (name.startsWith(ObjectAttributes.USER_HEADER)) {
                kept.put(name, each.getValue());
            } else if (name.equals("content-encoding")) {
                String encoding = withoutChunks(each.getValue());
                if (!encoding.isEmpty()) {
                    kept.put(name, encoding);
                }
            } else if (OF_CONTENT.contains(name) && !each.getValue().isEmpty()) {
                kept.put(name, each.getValue());
            }
        }
        return kept;
    }

    /** Returns an encoding without that of the request's own body. */
    private static String withoutChunks(String encoding) {
        return Stream.of(encoding.split(",", -1))
                .map(String::strip)
                .filter(each -> !each.isEmpty() && !each.equals("aws-chunked"))
                .collect(Collectors.joining(","));
    }

    static void refuseUnknown(S3Exchange exchange) throws S3Exception {
        for (String name : exchange.signed().headers().keySet()) {
            for (String refused : REFUSED) {
                if (name.startsWith(refused)) {
                    throw new S3Exception(
                            S3Code.NOT_IMPLEMENTED, "the gateway does not do what %s asks".formatted(name));
                }
            }
        }
        String acl = exchange.header("x-amz-acl").orElse("private");
        if (!acl.equals("private") && !acl.equals("bucket-owner-full-control")) {
            throw new S3Exception(
                    S3Code.NOT_IMPLEMENTED, "rights are those of the mount: x-amz-acl takes private only");
        }
        String storage = exchange.header("x-amz-storage-class").orElse("STANDARD");
        if (!storage.equals("STANDARD")) {
            throw new S3Exception(S3Code.NOT_IMPLEMENTED, "the gateway has the storage class STANDARD only");
        }
    }
}
