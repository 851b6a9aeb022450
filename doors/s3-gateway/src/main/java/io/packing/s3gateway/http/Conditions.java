// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.http;

import io.packing.s3gateway.objects.StoredObject;
import io.packing.s3gateway.objects.WriteCondition;
import io.packing.s3gateway.protocol.HttpDate;
import io.packing.s3gateway.protocol.S3Code;
import io.packing.s3gateway.protocol.S3Exception;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** The conditions of requests, in the order of RFC 9110, section 13.2.2. */
final class Conditions {
    private static final String COPY = "x-amz-copy-source-";

    private Conditions() {}

    /** Returns an ETag without its quotes. */
    static String bare(String etag) {
        String text = etag.strip();
        String strong = text.startsWith("W/") ? text.substring(2) : text;
        return strong.length() >= 2 && strong.startsWith("\"") && strong.endsWith("\"")
                ? strong.substring(1, strong.length() - 1)
                : strong;
    }

    private static boolean names(String header, String etag) {
        for (String each : header.split(",", -1)) {
            String bare = bare(each);
            if (bare.equals("*") || bare.equals(etag)) {
                return true;
            }
        }
        return false;
    }

    /** Refuses a read whose conditions do not hold. */
    static void checkRead(S3Exchange exchange, StoredObject object) throws S3Exception {
        if (isStale(exchange, "", object)) {
            throw new S3Exception(S3Code.PRECONDITION_FAILED, "the object is not the one of the condition");
        }
        if (isUnwanted(exchange, "", object)) {
            throw new S3Exception(S3Code.NOT_MODIFIED, "not modified");
        }
    }

    /** Refuses a copy whose conditions on the source do not hold. */
    static void checkCopy(S3Exchange exchange, StoredObject source) throws S3Exception {
        if (isStale(exchange, COPY, source) || isUnwanted(exchange, COPY, source)) {
            throw new S3Exception(S3Code.PRECONDITION_FAILED, "the source is not the one of the condition");
        }
    }

    private static boolean isStale(S3Exchange exchange, String prefix, StoredObject object) {
        Optional<String> match = exchange.header(prefix + "if-match");
        if (match.isPresent()) {
            return !names(match.get(), object.etag());
        }
        Optional<Instant> since =
                exchange.header(prefix + "if-unmodified-since").flatMap(HttpDate::parse);
        return since.isPresent() && time(object).isAfter(since.get());
    }

    private static boolean isUnwanted(S3Exchange exchange, String prefix, StoredObject object) {
        Optional<String> match = exchange.header(prefix + "if-none-match");
        if (match.isPresent()) {
            return names(match.get(), object.etag());
        }
        Optional<Instant> since = exchange.header(prefix + "if-modified-since").flatMap(HttpDate::parse);
        return since.isPresent() && !time(object).isAfter(since.get());
    }

    private static Instant time(StoredObject object) {
        return Instant.ofEpochMilli(object.mtimeMillis()).truncatedTo(ChronoUnit.SECONDS);
    }

    /** Reads the condition of a write. */
    static WriteCondition ofWrite(S3Exchange exchange) throws S3Exception {
        Optional<String> match = exchange.header("if-match");
        Optional<String> none = exchange.header("if-none-match");
        if (none.isPresent() && !none.get().strip().equals("*")) {
            throw new S3Exception(
                    S3Code.NOT_IMPLEMENTED, "If-None-Match of a write takes * only: no object may be at the key");
        }
        if (match.isPresent() && none.isPresent()) {
            throw S3Exception.request("a write has one condition: If-Match or If-None-Match");
        }
        return new WriteCondition(none.isPresent(), match.map(Conditions::bare));
    }
}
