// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.dump;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import io.packing.bdt.ExtendedChange;
import io.packing.bdt.ExtendedValue;
import io.packing.bdt.FileStatus;
import io.packing.bdt.ListedEntry;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Placement;
import io.packing.bdt.QuotaChange;
import io.packing.bdt.RareAttributeChange;
import io.packing.bdt.RareAttributes;
import io.packing.blob.BlobExtent;
import io.packing.blob.BlobName;
import io.packing.blob.Codec;
import io.packing.blob.Extent;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** One entry of a dump as a JSON object. What an object gets wrong is an illegal argument. */
final class DumpCodec {
    private static final int EXTENT_FIELDS = 7;
    private static final int PIECE_FIELDS = 4;

    private DumpCodec() {}

    static void write(DumpedEntry dumped, JsonGenerator json) throws IOException {
        ListedEntry entry = dumped.listed();
        FileStatus status = entry.status();
        FileAttributes a = status.attributes();
        json.writeStartObject();
        json.writeStringField(
                status.isDirectory() ? "directory" : "file", status.path().value());
        json.writeNumberField("id", status.version().id());
        if (!status.isDirectory()) {
            json.writeNumberField("generation", status.version().generation());
            json.writeNumberField("length", a.length());
        }
        json.writeNumberField("mtime", a.mtimeMillis());
        json.writeStringField("owner", a.owner());
        json.writeStringField("group", a.group());
        json.writeStringField("mode", Integer.toOctalString(a.mode()));
        if (entry.placement().isPresent()) {
            write(entry.placement().get(), json);
        }
        // What a clone of an older version shows is a file of its own by each name.
        if (status.extras().isLinked() && (!status.isInherited() || status.cloneId() != 0)) {
            json.writeNumberField("links", status.extras().links());
            if (status.cloneId() != 0) {
                json.writeNumberField("clone", status.cloneId());
            }
        }
        write(dumped.extra(), json);
        if (dumped.quota().isPresent()) {
            write(dumped.quota().get(), json);
        }
        json.writeEndObject();
    }

    /** Writes the attributes that an entry has: most entries have none of them. */
    private static void write(RareAttributeChange extra, JsonGenerator json) throws IOException {
        if (!extra.extended().isEmpty()) {
            json.writeObjectFieldStart("extended");
            for (ExtendedChange each : extra.extended()) {
                json.writeStringField(
                        each.name(),
                        Base64.getEncoder().encodeToString(each.value().bytes()));
            }
            json.writeEndObject();
        }
        if (extra.nanos() != 0) {
            json.writeNumberField("nanos", extra.nanos());
        }
        if (extra.changed().isPresent()) {
            json.writeStringField("changed", extra.changed().get().toString());
        }
    }

    static DumpedEntry read(JsonNode json) {
        ListedEntry listed = listed(json);
        ListedEntry entry = json.has("links") ? linked(listed, json) : listed;
        return new DumpedEntry(entry, extra(json), quota(json.path("quota")));
    }

    private static Optional<QuotaChange> quota(JsonNode json) {
        return json.isMissingNode()
                ? Optional.empty()
                : Optional.of(new QuotaChange(
                        OptionalLong.of(number(json, "names")), OptionalLong.of(number(json, "bytes"))));
    }

    private static void write(QuotaChange quota, JsonGenerator json) throws IOException {
        json.writeObjectFieldStart("quota");
        json.writeNumberField("names", quota.mostNames().orElse(QuotaChange.NO_LIMIT));
        json.writeNumberField("bytes", quota.mostBytes().orElse(QuotaChange.NO_LIMIT));
        json.writeEndObject();
    }

    private static ListedEntry linked(ListedEntry listed, JsonNode json) {
        FileStatus s = listed.status();
        RareAttributes extras = new RareAttributes(0, 0, Optional.empty(), Math.toIntExact(number(json, "links")));
        FileStatus status = new FileStatus(s.path(), s.version(), s.attributes(), s.state(), extras);
        return new ListedEntry(
                json.has("clone") ? status.inherited(number(json, "clone")) : status, listed.placement());
    }

    private static RareAttributeChange extra(JsonNode json) {
        List<ExtendedChange> steps = new ArrayList<>();
        JsonNode extended = json.path("extended");
        check(extended.isMissingNode() || extended.isObject(), "extended attributes that are no object", json);
        extended.properties()
                .forEach(each -> steps.add(ExtendedChange.put(
                        each.getKey(),
                        new ExtendedValue(
                                Base64.getDecoder().decode(each.getValue().asText())))));
        return new RareAttributeChange(
                steps,
                json.has("nanos") ? Math.toIntExact(number(json, "nanos")) : 0,
                json.has("changed") ? Optional.of(time(text(json, "changed"))) : Optional.empty());
    }

    private static Instant time(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException("'%s' is no time".formatted(text), e);
        }
    }

    private static void write(Placement placement, JsonGenerator json) throws IOException {
        if (placement instanceof Placement.Packed packed) {
            json.writeArrayFieldStart("extents");
            for (BlobExtent each : packed.extents()) {
                write(each, json);
            }
            json.writeEndArray();
        } else if (placement instanceof Placement.Mapped mapped) {
            write(mapped, json);
        } else if (placement instanceof Placement.Buffered buffered) {
            json.writeStringField("buffered", buffered.worker());
        } else if (placement instanceof Placement.Lost lost) {
            json.writeStringField("lost", lost.worker());
        } else if (placement instanceof Placement.Withheld) {
            throw new IOException(
                    "a dump says where in blobs files are, and the master names that to superusers only (bdt.places=daemons): make it with a superuser's certificate");
        }
    }

    private static void write(BlobExtent each, JsonGenerator json) throws IOException {
        Extent extent = each.extent();
        json.writeStartArray();
        json.writeString(each.blob().toString());
        json.writeNumber(extent.fileOffset());
        json.writeNumber(extent.length());
        json.writeNumber(extent.blobOffset());
        json.writeNumber(extent.storedLength());
        json.writeString(extent.codec().name().toLowerCase(Locale.ROOT));
        json.writeString(HexFormat.of().toHexDigits(extent.crc32c()));
        json.writeEndArray();
    }

    private static void write(Placement.Mapped mapped, JsonGenerator json) throws IOException {
        Map<FileVersion, LocatedFile> contents = new LinkedHashMap<>();
        Map<FileVersion, Integer> numbers = new LinkedHashMap<>();
        json.writeArrayFieldStart("pieces");
        for (Placement.Piece piece : mapped.pieces()) {
            FileVersion version = piece.content().status().version();
            contents.putIfAbsent(version, piece.content());
            json.writeStartArray();
            json.writeNumber(piece.offset());
            json.writeNumber(piece.length());
            json.writeNumber(numbers.computeIfAbsent(version, each -> numbers.size()));
            json.writeNumber(piece.contentOffset());
            json.writeEndArray();
        }
        json.writeEndArray();
        json.writeArrayFieldStart("contents");
        for (LocatedFile content : contents.values()) {
            json.writeStartObject();
            json.writeNumberField("id", content.status().version().id());
            json.writeNumberField("generation", content.status().version().generation());
            json.writeNumberField("length", content.status().attributes().length());
            write(content.placement(), json);
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static ListedEntry listed(JsonNode json) {
        boolean directory = json.has("directory");
        FilePath path = new FilePath(text(json, directory ? "directory" : "file"));
        FileAttributes attributes = new FileAttributes(
                directory ? 0 : number(json, "length"),
                number(json, "mtime"),
                text(json, "owner"),
                text(json, "group"),
                Integer.parseInt(text(json, "mode"), 8));
        if (directory) {
            FileVersion version = new FileVersion(number(json, "id"), 0);
            return new ListedEntry(
                    new FileStatus(path, version, attributes, FileStatus.State.DIRECTORY), Optional.empty());
        }
        LocatedFile file = located(json, path, attributes, true);
        return new ListedEntry(file.status(), Optional.of(file.placement()));
    }

    private static LocatedFile located(JsonNode json, FilePath path, FileAttributes attributes, boolean isFile) {
        FileVersion version = new FileVersion(number(json, "id"), number(json, "generation"));
        if (json.has("extents")) {
            List<BlobExtent> extents = extents(json.get("extents"), attributes.length(), isFile);
            return new LocatedFile(
                    new FileStatus(path, version, attributes, FileStatus.State.PACKED), new Placement.Packed(extents));
        }
        if (isFile && json.has("pieces")) {
            return new LocatedFile(
                    new FileStatus(path, version, attributes, FileStatus.State.MAPPED),
                    new Placement.Mapped(pieces(json, path, attributes.length())));
        }
        if (json.has("buffered")) {
            return new LocatedFile(
                    new FileStatus(path, version, attributes, FileStatus.State.BUFFERED),
                    new Placement.Buffered(text(json, "buffered"), ""));
        }
        return new LocatedFile(
                new FileStatus(path, version, attributes, FileStatus.State.LOST),
                new Placement.Lost(text(json, "lost")));
    }

    /** @param whole whether they must be all of the file; of a content, what nobody has is given up */
    private static List<BlobExtent> extents(JsonNode array, long length, boolean whole) {
        List<BlobExtent> extents = new ArrayList<>();
        long end = 0;
        for (JsonNode each : list(array, "extents")) {
            check(each.size() == EXTENT_FIELDS, "an extent of wrong fields", each);
            Extent extent = new Extent(
                    number(each.get(1)),
                    Math.toIntExact(number(each.get(2))),
                    number(each.get(3)),
                    Math.toIntExact(number(each.get(4))),
                    Codec.valueOf(each.get(5).asText().toUpperCase(Locale.ROOT)),
                    Integer.parseUnsignedInt(each.get(6).asText(), 16));
            boolean inOrder = whole ? extent.fileOffset() == end : extent.fileOffset() >= end;
            check(inOrder, "extents that overlap or leave a hole at", end);
            end = extent.fileEnd();
            extents.add(new BlobExtent(BlobName.parse(each.get(0).asText()), extent));
        }
        check(whole ? end == length : end <= length, "extents that end at", end);
        return extents;
    }

    private static List<Placement.Piece> pieces(JsonNode json, FilePath path, long length) {
        List<LocatedFile> contents = new ArrayList<>();
        for (JsonNode each : list(json.get("contents"), "contents")) {
            contents.add(located(each, path, new FileAttributes(number(each, "length"), 0, "", "", 0), false));
        }
        List<Placement.Piece> pieces = new ArrayList<>();
        long end = 0;
        for (JsonNode each : list(json.get("pieces"), "pieces")) {
            check(each.size() == PIECE_FIELDS, "a piece of wrong fields", each);
            int content = Math.toIntExact(number(each.get(2)));
            check(content >= 0 && content < contents.size(), "a piece of a content that is not there", content);
            Placement.Piece piece = new Placement.Piece(
                    number(each.get(0)), number(each.get(1)), contents.get(content), number(each.get(3)));
            check(piece.offset() >= end && piece.end() > piece.offset(), "pieces that overlap at", end);
            end = piece.end();
            pieces.add(piece);
        }
        check(end <= length, "pieces that end at", end);
        return pieces;
    }

    private static JsonNode list(JsonNode json, String name) {
        check(json != null && json.isArray(), "an array is missing", name);
        return json;
    }

    static String text(JsonNode json, String field) {
        JsonNode value = json.get(field);
        check(value != null && value.isTextual(), "a text is missing", field);
        return value.textValue();
    }

    static long number(JsonNode json, String field) {
        JsonNode value = json.get(field);
        check(value != null, "a number is missing", field);
        return number(value);
    }

    private static long number(JsonNode value) {
        check(value.isIntegralNumber() && value.canConvertToLong(), "no whole number", value);
        return value.longValue();
    }

    private static void check(boolean holds, String wrong, Object value) {
        if (!holds) {
            throw new IllegalArgumentException(wrong + ": " + value);
        }
    }
}
