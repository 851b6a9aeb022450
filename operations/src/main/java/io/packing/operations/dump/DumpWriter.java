// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.dump;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import io.packing.bdt.FileStatus;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Placement;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;

/** Writes a dump: a header, a line an entry, and an end that tells how much there was. Confined to one thread. */
final class DumpWriter implements AutoCloseable {
    private static final int BUFFER_BYTES = 1 << 18;

    private final CRC32C crc = new CRC32C();
    private final JsonGenerator json;
    private long files;
    private long directories;
    private long bytes;
    private long unpacked;

    DumpWriter(OutputStream out, DumpHeader header) throws IOException {
        this.json = new JsonFactory()
                .createGenerator(new CheckedOutputStream(new BufferedOutputStream(out, BUFFER_BYTES), crc))
                .setPrettyPrinter(new MinimalPrettyPrinter("\n"));
        json.writeStartObject();
        json.writeNumberField("packing_dump", DumpHeader.VERSION);
        json.writeStringField("top", header.top().value());
        json.writeStringField("store", header.store());
        json.writeStringField("made", header.made());
        json.writeEndObject();
    }

    void add(DumpedEntry entry) throws IOException {
        DumpCodec.write(entry, json);
        FileStatus status = entry.status();
        if (status.isDirectory()) {
            directories++;
            return;
        }
        files++;
        bytes += status.attributes().length();
        unpacked += entry.listed().placement().map(DumpWriter::isPacked).orElse(true) ? 0 : 1;
    }

    /** Returns whether all bytes are in blobs. */
    static boolean isPacked(Placement placement) {
        return placement instanceof Placement.Mapped mapped
                ? mapped.pieces().stream()
                        .map(Placement.Piece::content)
                        .map(LocatedFile::placement)
                        .allMatch(DumpWriter::isPacked)
                : placement instanceof Placement.Packed;
    }

    DumpSummary finish() throws IOException {
        json.writeRaw("\n");
        json.flush();
        String sum = "%08x".formatted((int) crc.getValue());
        json.writeRaw("{\"end\":true,\"files\":%d,\"directories\":%d,\"bytes\":%d,\"crc32c\":\"%s\"}\n"
                .formatted(files, directories, bytes, sum));
        json.flush();
        return new DumpSummary(files, directories, bytes, unpacked);
    }

    /** Does not close what it writes to. */
    @Override
    public void close() throws IOException {
        json.flush();
    }
}
