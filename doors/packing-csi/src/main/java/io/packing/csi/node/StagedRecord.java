// SPDX-License-Identifier: Apache-2.0
package io.packing.csi.node;

import io.packing.csi.volume.CsiId;
import io.packing.csi.volume.CsiRefusal;
import io.packing.durable.DurableFile;
import io.packing.durable.OwnerOnly;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A file that says where and how a volume is staged on this node, so that a restarted driver knows it. */
record StagedRecord(CsiId volume, Path directory, MountFlags flags) {
    private static final Logger LOG = LoggerFactory.getLogger(StagedRecord.class);

    void write(Path records) throws IOException {
        Path unused = OwnerOnly.directory(records);
        DurableFile.write(
                records,
                volume.key().value(),
                String.join("\n", volume.toString(), directory.toString(), String.join(",", flags.words())));
    }

    static void remove(Path records, CsiId volume) throws IOException {
        boolean unused = Files.deleteIfExists(records.resolve(volume.key().value()));
    }

    /** Reads the record of a volume; empty: it is not staged here. */
    static Optional<StagedRecord> read(Path records, CsiId volume) throws IOException {
        Path file = records.resolve(volume.key().value());
        return Files.exists(file) ? read(file).filter(record -> record.volume().equals(volume)) : Optional.empty();
    }

    private static Optional<StagedRecord> read(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);
        Optional<CsiId> volume = lines.size() == 3 ? CsiId.parse(lines.get(0)) : Optional.empty();
        if (volume.isEmpty()) {
            LOG.warn("{} is no record of a staged volume", file);
            return Optional.empty();
        }
        try {
            MountFlags flags = MountFlags.from(Arrays.asList(lines.get(2).split(",", -1)), false);
            return Optional.of(new StagedRecord(volume.get(), Path.of(lines.get(1)), flags));
        } catch (CsiRefusal e) {
            LOG.warn("{} is of another version of packing: {}", file, e.getMessage());
            return Optional.empty();
        }
    }

    static List<StagedRecord> all(Path records) throws IOException {
        List<StagedRecord> all = new ArrayList<>();
        if (Files.isDirectory(records)) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(records)) {
                for (Path each : files) {
                    if (!each.toString().endsWith(".new")) {
                        read(each).ifPresent(all::add);
                    }
                }
            }
        }
        return all;
    }
}
