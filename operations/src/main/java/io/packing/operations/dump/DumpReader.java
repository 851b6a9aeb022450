// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.dump;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packing.blob.FilePath;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.CRC32C;

/** Reads a dump and checks all of it: each line, how many there are, and the checksum of their bytes. */
public final class DumpReader {
    /** A file of 4 TB in extents of 4 MB has a million of some 70 bytes. */
    private static final int MOST_LINE_BYTES = 128 << 20;

    private static final int BUFFER_BYTES = 1 << 18;
    private static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    /** A visitor of each entry; a directory comes before its entries. */
    public interface Visitor {
        void visit(DumpedEntry entry) throws IOException;
    }

    private final Path file;
    private final CRC32C crc = new CRC32C();
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private long number;
    private long files;
    private long directories;
    private long bytes;
    private long unpacked;

    private DumpReader(Path file) {
        this.file = file;
    }

    /**
     * Reads only the first line.
     *
     * @throws CorruptDumpException when it is none of a dump
     */
    public static DumpHeader header(Path file) throws IOException {
        DumpReader reader = new DumpReader(file);
        try (InputStream in = reader.open()) {
            return reader.header(reader.next(in));
        }
    }

    /**
     * Reads all of it.
     *
     * @throws CorruptDumpException when it is torn or damaged, or when a line says what cannot be
     */
    public static DumpSummary read(Path file, Visitor visitor) throws IOException {
        return new DumpReader(file).read(visitor);
    }

    private InputStream open() throws IOException {
        return new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES);
    }

    private DumpSummary read(Visitor visitor) throws IOException {
        try (InputStream in = open()) {
            FilePath top = header(next(in)).top();
            while (true) {
                int before = (int) crc.getValue();
                JsonNode json = next(in);
                if (json.has("end")) {
                    end(json, before);
                    if (in.read() >= 0) {
                        throw corrupt("something stands behind the end", Optional.empty());
                    }
                    return new DumpSummary(files, directories, bytes, unpacked);
                }
                visitor.visit(entry(json, top));
            }
        }
    }

    private DumpHeader header(JsonNode json) throws CorruptDumpException {
        JsonNode version = json.get("packing_dump");
        if (version == null) {
            throw corrupt("it does not begin as a dump does", Optional.empty());
        }
        if (version.asInt() != DumpHeader.VERSION) {
            throw corrupt(
                    "it is of version %s, and this packing reads version %d".formatted(version, DumpHeader.VERSION),
                    Optional.empty());
        }
        try {
            return new DumpHeader(
                    new FilePath(DumpCodec.text(json, "top")),
                    DumpCodec.text(json, "store"),
                    DumpCodec.text(json, "made"));
        } catch (IllegalArgumentException e) {
            throw corrupt(String.valueOf(e.getMessage()), Optional.of(e));
        }
    }

    private DumpedEntry entry(JsonNode json, FilePath top) throws CorruptDumpException {
        DumpedEntry entry;
        try {
            entry = DumpCodec.read(json);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw corrupt(String.valueOf(e.getMessage()), Optional.of(e));
        }
        String path = entry.status().path().value();
        boolean below = top.isRoot() || path.equals(top.value()) || path.startsWith(top.value() + "/");
        if (!below) {
            throw corrupt("%s is not below %s".formatted(path, top), Optional.empty());
        }
        if (entry.status().isDirectory()) {
            directories++;
        } else {
            files++;
            bytes += entry.status().attributes().length();
            unpacked += entry.listed().placement().map(DumpWriter::isPacked).orElse(true) ? 0 : 1;
        }
        return entry;
    }

    private void end(JsonNode json, int sum) throws CorruptDumpException {
        try {
            boolean counted = DumpCodec.number(json, "files") == files
                    && DumpCodec.number(json, "directories") == directories
                    && DumpCodec.number(json, "bytes") == bytes;
            if (!counted || !DumpCodec.text(json, "crc32c").equals("%08x".formatted(sum))) {
                throw corrupt("the lines before are not those that the end tells of", Optional.empty());
            }
        } catch (IllegalArgumentException e) {
            throw corrupt(String.valueOf(e.getMessage()), Optional.of(e));
        }
    }

    private JsonNode next(InputStream in) throws IOException {
        line.reset();
        number++;
        int b;
        while ((b = in.read()) >= 0 && b != '\n') {
            line.write(b);
            if (line.size() > MOST_LINE_BYTES) {
                throw corrupt("a line of more than %d bytes".formatted(MOST_LINE_BYTES), Optional.empty());
            }
        }
        if (b < 0) {
            throw corrupt("it ends without its last line: it is torn", Optional.empty());
        }
        byte[] text = line.toByteArray();
        crc.update(text);
        crc.update('\n');
        try {
            JsonNode json = JSON.readTree(text);
            if (!json.isObject()) {
                throw corrupt("no JSON object", Optional.empty());
            }
            return json;
        } catch (JsonProcessingException e) {
            throw corrupt(e.getOriginalMessage(), Optional.of(e));
        }
    }

    private CorruptDumpException corrupt(String what, Optional<Exception> cause) {
        String message =
                "%s, line %d: %s. Nothing after that can be trusted: make the dump again".formatted(file, number, what);
        return cause.isPresent() ? new CorruptDumpException(message, cause.get()) : new CorruptDumpException(message);
    }
}
