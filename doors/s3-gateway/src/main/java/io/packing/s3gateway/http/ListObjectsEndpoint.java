// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.http;

import io.packing.s3gateway.objects.ObjectListing;
import io.packing.s3gateway.objects.StoredObject;
import io.packing.s3gateway.objects.UserMount;
import io.packing.s3gateway.protocol.HttpDate;
import io.packing.s3gateway.protocol.S3Exception;
import io.packing.s3gateway.protocol.UriText;
import io.packing.s3gateway.protocol.XmlText;
import java.io.IOException;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Listings of a bucket, of both versions of the protocol. */
final class ListObjectsEndpoint {
    private static final String STORAGE_CLASS = "STANDARD";

    private final ObjectListing listing;

    ListObjectsEndpoint(ObjectListing listing) {
        this.listing = listing;
    }

    /** Reads the number of keys of a page. */
    static int most(S3Exchange exchange, String parameter) throws S3Exception {
        String text = exchange.query(parameter).orElse("");
        if (text.isEmpty()) {
            return ObjectListing.MOST_KEYS;
        }
        if (!text.matches("[0-9]{1,9}")) {
            throw S3Exception.argument("%s is '%.20s', want a number from 0 on".formatted(parameter, text));
        }
        return Math.min(ObjectListing.MOST_KEYS, Integer.parseInt(text));
    }

    /** Returns the way in which keys are written: as they are, or encoded as in URIs. */
    static UnaryOperator<String> encoding(S3Exchange exchange) throws S3Exception {
        String asked = exchange.query("encoding-type").orElse("");
        if (!asked.isEmpty() && !asked.equals("url")) {
            throw S3Exception.argument("encoding-type is '%.20s', want url".formatted(asked));
        }
        return asked.isEmpty() ? text -> text : text -> UriText.encode(text, true);
    }

    void list(S3Exchange exchange, UserMount mount, String bucket) throws IOException {
        boolean isSecond = exchange.query("list-type").orElse("").equals("2");
        ObjectListing.Query query = new ObjectListing.Query(
                exchange.query("prefix").orElse(""),
                exchange.query("delimiter").orElse(""),
                most(exchange, "max-keys"));
        UnaryOperator<String> encoding = encoding(exchange);
        ObjectListing.Page page =
                listing.list(mount, bucket, query, isSecond ? startOfSecond(exchange) : startOfFirst(exchange, query));
        XmlText xml =
                new XmlText().top("ListBucketResult").add("Name", bucket).add("Prefix", encoding.apply(query.prefix()));
        if (isSecond) {
            addSecond(xml, exchange, page, encoding);
        } else {
            addFirst(xml, exchange, query, page, encoding);
        }
        xml.add("MaxKeys", query.most());
        if (!query.delimiter().isEmpty()) {
            xml.add("Delimiter", encoding.apply(query.delimiter()));
        }
        exchange.query("encoding-type")
                .filter(type -> !type.isEmpty())
                .ifPresent(type -> xml.add("EncodingType", type));
        xml.add("IsTruncated", page.token().isPresent());
        boolean hasOwner = !isSecond || exchange.query("fetch-owner").orElse("").equals("true");
        for (StoredObject object : page.objects()) {
            addObject(xml, object, encoding, hasOwner);
        }
        for (String prefix : page.prefixes()) {
            xml.begin("CommonPrefixes").add("Prefix", encoding.apply(prefix)).end("CommonPrefixes");
        }
        exchange.send(xml.end("ListBucketResult"));
    }

    private static ObjectListing.Start startOfSecond(S3Exchange exchange) throws S3Exception {
        Optional<String> token = exchange.query("continuation-token");
        if (token.isPresent()) {
            return ObjectListing.Start.ofToken(token.get());
        }
        String after = exchange.query("start-after").orElse("");
        return after.isEmpty() ? ObjectListing.Start.first() : ObjectListing.Start.after(after);
    }

    /** Returns the start behind a marker. One that is a prefix of a page before stands for all keys below it. */
    private static ObjectListing.Start startOfFirst(S3Exchange exchange, ObjectListing.Query query) {
        String marker = exchange.query("marker").orElse("");
        if (marker.isEmpty()) {
            return ObjectListing.Start.first();
        }
        int end = query.delimiter().isEmpty() || !marker.startsWith(query.prefix())
                ? -1
                : marker.indexOf(query.delimiter(), query.prefix().length());
        return end < 0
                ? ObjectListing.Start.after(marker)
                : ObjectListing.Start.afterPrefix(
                        marker.substring(0, end + query.delimiter().length()));
    }

    private static void addSecond(
            XmlText xml, S3Exchange exchange, ObjectListing.Page page, UnaryOperator<String> encoding) {
        exchange.query("start-after").ifPresent(after -> xml.add("StartAfter", encoding.apply(after)));
        exchange.query("continuation-token").ifPresent(token -> xml.add("ContinuationToken", token));
        page.token().ifPresent(token -> xml.add("NextContinuationToken", token));
        xml.add("KeyCount", page.objects().size() + page.prefixes().size());
    }

    private static void addFirst(
            XmlText xml,
            S3Exchange exchange,
            ObjectListing.Query query,
            ObjectListing.Page page,
            UnaryOperator<String> encoding) {
        xml.add("Marker", encoding.apply(exchange.query("marker").orElse("")));
        if (page.token().isPresent() && !query.delimiter().isEmpty()) {
            xml.add("NextMarker", encoding.apply(page.last()));
        }
    }

    private static void addObject(XmlText xml, StoredObject object, UnaryOperator<String> encoding, boolean hasOwner) {
        xml.begin("Contents")
                .add("Key", encoding.apply(object.key()))
                .add("LastModified", HttpDate.document(object.mtimeMillis()))
                .add("ETag", "\"" + object.etag() + "\"")
                .add("Size", object.length())
                .add("StorageClass", STORAGE_CLASS);
        if (hasOwner) {
            addOwner(xml, object.status().attributes().owner());
        }
        xml.end("Contents");
    }

    static void addOwner(XmlText xml, String owner) {
        xml.begin("Owner").add("ID", owner).add("DisplayName", owner).end("Owner");
    }
}
