// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.objects;

import io.packing.bdt.ExtendedChange;
import io.packing.bdt.ExtendedValue;
import io.packing.s3gateway.protocol.S3Code;
import io.packing.s3gateway.protocol.S3Exception;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The attributes of an object beside its bytes, which are extended attributes {@code user.s3.*} of its file.
 *
 * @param etag empty: another door wrote the file
 * @param headers that answers repeat, by names in lower case: those of the content, and the user's own
 * @param tags in the form of a query; empty: none
 * @param sums checksum headers and the type of them, by names in lower case
 * @param parts the lengths of the parts, with commas between them; empty: the object has no parts
 * @param upload the id of the upload that made it; empty: none
 */
public record ObjectAttributes(
        Optional<EtagMark> etag,
        SortedMap<String, String> headers,
        String tags,
        SortedMap<String, String> sums,
        String parts,
        String upload) {
    public static final String USER_HEADER = "x-amz-meta-";
    /** The most bytes of the user's own headers. */
    static final int MOST_USER_BYTES = 2_048;

    static final String PREFIX = "user.s3.";
    private static final String ETAG = PREFIX + "etag";
    private static final String HEADERS = PREFIX + "headers";
    private static final String TAGS = PREFIX + "tags";
    private static final String SUMS = PREFIX + "sums";
    private static final String PARTS = PREFIX + "parts";
    private static final String UPLOAD = PREFIX + "upload";
    private static final List<String> NAMES = List.of(ETAG, HEADERS, TAGS, SUMS, PARTS, UPLOAD);

    /** The attributes of a file of another door. */
    public static final ObjectAttributes NONE = of(Map.of());

    public ObjectAttributes {
        headers = Collections.unmodifiableSortedMap(new TreeMap<>(headers));
        sums = Collections.unmodifiableSortedMap(new TreeMap<>(sums));
    }

    /** Makes attributes that a client gives a new object. */
    public static ObjectAttributes given(SortedMap<String, String> headers, String tags) throws S3Exception {
        int bytes = headers.entrySet().stream()
                .filter(each -> each.getKey().startsWith(USER_HEADER))
                .mapToInt(each -> each.getKey().length()
                        - USER_HEADER.length()
                        + each.getValue().getBytes(StandardCharsets.UTF_8).length)
                .sum();
        if (bytes > MOST_USER_BYTES) {
            throw new S3Exception(
                    S3Code.METADATA_TOO_LARGE,
                    "the headers %s* have %,d bytes, at most %,d".formatted(USER_HEADER, bytes, MOST_USER_BYTES));
        }
        return new ObjectAttributes(Optional.empty(), headers, tags, new TreeMap<>(), "", "");
    }

    /** Reads the extended attributes of a file. */
    public static ObjectAttributes of(Map<String, ExtendedValue> extended) {
        return new ObjectAttributes(
                EtagMark.parse(text(extended, ETAG)),
                lines(text(extended, HEADERS)),
                text(extended, TAGS),
                lines(text(extended, SUMS)),
                text(extended, PARTS),
                text(extended, UPLOAD));
    }

    private static String text(Map<String, ExtendedValue> extended, String name) {
        ExtendedValue value = extended.get(name);
        return value == null ? "" : new String(value.bytes(), StandardCharsets.UTF_8);
    }

    private static SortedMap<String, String> lines(String text) {
        SortedMap<String, String> lines = new TreeMap<>();
        for (String line : text.split("\n", -1)) {
            int colon = line.indexOf(": ");
            if (colon > 0) {
                lines.put(line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 2));
            }
        }
        return lines;
    }

    private static String text(SortedMap<String, String> lines) {
        StringBuilder text = new StringBuilder();
        lines.forEach((name, value) ->
                text.append(name).append(": ").append(value.replace('\n', ' ')).append('\n'));
        return text.toString();
    }

    public ObjectAttributes with(EtagMark mark) {
        return new ObjectAttributes(Optional.of(mark), headers, tags, sums, parts, upload);
    }

    public ObjectAttributes withSums(SortedMap<String, String> others) {
        return new ObjectAttributes(etag, headers, tags, others, parts, upload);
    }

    public ObjectAttributes withTags(String others) {
        return new ObjectAttributes(etag, headers, others, sums, parts, upload);
    }

    public ObjectAttributes withHeaders(SortedMap<String, String> others) {
        return new ObjectAttributes(etag, others, tags, sums, parts, upload);
    }

    public ObjectAttributes withParts(String lengths, String id) {
        return new ObjectAttributes(etag, headers, tags, sums, lengths, id);
    }

    /** Returns the steps that give a file these attributes, and none of other ones that the gateway keeps. */
    List<ExtendedChange> steps(boolean isNew) {
        Map<String, String> wanted = new TreeMap<>();
        etag.ifPresent(mark -> wanted.put(ETAG, mark.text()));
        put(wanted, HEADERS, text(headers));
        put(wanted, TAGS, tags);
        put(wanted, SUMS, text(sums));
        put(wanted, PARTS, parts);
        put(wanted, UPLOAD, upload);
        List<ExtendedChange> steps = new ArrayList<>();
        for (String name : NAMES) {
            String value = wanted.get(name);
            if (value != null) {
                steps.add(ExtendedChange.put(name, new ExtendedValue(value.getBytes(StandardCharsets.UTF_8))));
            } else if (!isNew) {
                steps.add(ExtendedChange.of(ExtendedChange.Kind.DROP, name));
            }
        }
        return steps;
    }

    private static void put(Map<String, String> wanted, String name, String value) {
        if (!value.isEmpty()) {
            wanted.put(name, value);
        }
    }

    /** Returns the step that gives an object its tags. */
    static ExtendedChange tagged(String tags) {
        return tags.isEmpty()
                ? ExtendedChange.of(ExtendedChange.Kind.DROP, TAGS)
                : ExtendedChange.put(TAGS, new ExtendedValue(tags.getBytes(StandardCharsets.UTF_8)));
    }
}
