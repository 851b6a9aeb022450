// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.http;

import io.packing.bdt.LocatedFile;
import io.packing.s3gateway.objects.KeyPaths;
import io.packing.s3gateway.objects.ObjectTags;
import io.packing.s3gateway.objects.UserMount;
import io.packing.s3gateway.protocol.S3Code;
import io.packing.s3gateway.protocol.S3Exception;
import io.packing.s3gateway.protocol.UriText;
import io.packing.s3gateway.protocol.XmlElement;
import io.packing.s3gateway.protocol.XmlText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The tags of objects. */
public final class TagEndpoint {
    private static final int MOST_TAGS = 10;
    private static final int MOST_NAME = 128;
    private static final int MOST_VALUE = 256;
    private static final int MOST_DOCUMENT = 64 << 10;

    private final KeyPaths paths;

    public TagEndpoint(KeyPaths paths) {
        this.paths = paths;
    }

    void serve(S3Exchange exchange, UserMount mount, String bucket, String key) throws IOException {
        LocatedFile file =
                mount.locate(paths.path(paths.bucket(bucket), key)).orElseThrow(() -> S3Exception.noSuchKey(key));
        switch (exchange.method()) {
            case "GET" -> {
                XmlText xml = new XmlText().top("Tagging").begin("TagSet");
                for (UriText.Parameter each :
                        UriText.parameters(mount.info(key, file).attributes().tags())) {
                    xml.begin("Tag")
                            .add("Key", each.name())
                            .add("Value", each.value())
                            .end("Tag");
                }
                exchange.send(xml.end("TagSet").end("Tagging"));
            }
            case "PUT" -> {
                ObjectTags.set(mount, key, file, read(exchange));
                exchange.send(200);
            }
            case "DELETE" -> {
                ObjectTags.set(mount, key, file, "");
                exchange.send(204);
            }
            default -> throw new S3Exception(S3Code.METHOD_NOT_ALLOWED, "the method is none for tags");
        }
    }

    private static String read(S3Exchange exchange) throws IOException {
        XmlElement tagging = XmlElement.parse(exchange.document(MOST_DOCUMENT), "Tagging");
        List<UriText.Parameter> tags = new ArrayList<>();
        for (XmlElement set : tagging.all("TagSet")) {
            for (XmlElement tag : set.all("Tag")) {
                tags.add(new UriText.Parameter(tag.get("Key"), tag.get("Value")));
            }
        }
        return checked(tags);
    }

    /** Returns the number of tags. */
    static int count(String tags) {
        return tags.isEmpty() ? 0 : tags.split("&", -1).length;
    }

    /** Checks tags in the form of a query; returns them as they are kept. */
    static String checked(String query) throws S3Exception {
        return checked(UriText.parameters(query));
    }

    private static String checked(List<UriText.Parameter> tags) throws S3Exception {
        Set<String> names = new HashSet<>();
        if (tags.size() > MOST_TAGS) {
            throw new S3Exception(S3Code.INVALID_TAG, "%d tags, at most %d".formatted(tags.size(), MOST_TAGS));
        }
        for (UriText.Parameter tag : tags) {
            if (tag.name().isEmpty()
                    || tag.name().length() > MOST_NAME
                    || tag.value().length() > MOST_VALUE) {
                throw new S3Exception(
                        S3Code.INVALID_TAG,
                        "a tag has a name of 1 to %d characters and a value of at most %d"
                                .formatted(MOST_NAME, MOST_VALUE));
            }
            if (!names.add(tag.name())) {
                throw new S3Exception(S3Code.INVALID_TAG, "the tag %s is there twice".formatted(tag.name()));
            }
        }
        return tags.stream()
                .map(tag -> UriText.encode(tag.name(), false) + "=" + UriText.encode(tag.value(), false))
                .collect(Collectors.joining("&"));
    }
}
