// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop;

import io.packing.bdt.FileStatus;
import io.packing.bdt.Operation;
import io.packing.bdt.Precondition;
import io.packing.blob.FilePath;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.iceberg.CatalogUtil;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.encryption.EncryptionManager;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.LocationProvider;

/**
 * An Iceberg table at a version, and the commits upon it that no reader sees yet. Confined to one thread.
 *
 * <p>A version of a Hadoop table is its file {@code metadata/vN.metadata.json}; {@code version-hint.text} has the number of a version at which
 * readers begin to look for the newest one.
 */
final class StagedTable implements TableOperations {
    private static final Pattern VERSION = Pattern.compile("v([0-9]{1,9})\\..*");
    private static final String HINT = "version-hint.text";

    private final PackingHadoopFileSystem files;
    private final String location;
    private final TableOperations table;
    private final TableMetadata base;
    private TableMetadata current;
    /** Files that the vector renames. */
    private final List<Path> written = new ArrayList<>();

    /** @param table whose current version is the base */
    StagedTable(PackingHadoopFileSystem files, String location, TableOperations table) {
        this.files = files;
        this.location = location;
        this.table = table;
        this.base = table.current();
        this.current = base;
    }

    String location() {
        return location;
    }

    boolean isChanged() {
        return current != base;
    }

    @Override
    public TableMetadata current() {
        return current;
    }

    @Override
    public TableMetadata refresh() {
        return current;
    }

    @Override
    public void commit(TableMetadata upon, TableMetadata metadata) {
        if (upon != current) {
            throw new CommitFailedException("%s: another operation of this commit came first", location);
        }
        if (!metadata.location().equals(base.location())
                || metadata.properties().containsKey(TableProperties.WRITE_METADATA_LOCATION)) {
            throw new IllegalArgumentException(location + ": a Hadoop table and its metadata stay where they are");
        }
        current = metadata;
    }

    @Override
    public FileIO io() {
        return table.io();
    }

    @Override
    public EncryptionManager encryption() {
        return table.encryption();
    }

    @Override
    public String metadataFileLocation(String name) {
        return table.metadataFileLocation(name);
    }

    @Override
    public LocationProvider locationProvider() {
        return table.locationProvider();
    }

    @Override
    public TableOperations temp(TableMetadata uncommitted) {
        return table.temp(uncommitted);
    }

    @Override
    public long newSnapshotId() {
        return table.newSnapshotId();
    }

    /**
     * Adds the conditions under which the base is the newest version: it is there, and no next one. The next one alone does not tell it, since a
     * table may delete old versions, the oldest first.
     */
    void conditions(List<Precondition> into) throws IOException {
        Path file = new Path(base.metadataFileLocation());
        FilePath path = files.path(file);
        Optional<FileStatus> seen = files.bdt().stat(path);
        if (seen.isEmpty()) {
            throw new CommitFailedException(
                    new FileNotFoundException(file.toString()),
                    "%s has deleted the version of this commit: no table of the group was changed",
                    location);
        }
        into.add(new Precondition.SameVersion(path, seen.get().version()));
        for (TableMetadataParser.Codec codec : TableMetadataParser.Codec.values()) {
            into.add(new Precondition.Absent(files.path(next(TableMetadataParser.getFileExtension(codec)))));
        }
        into.add(new Precondition.Absent(
                files.path(next(TableMetadataParser.getOldFileExtension(TableMetadataParser.Codec.GZIP)))));
    }

    private Path next(String extension) {
        return metadata("v" + (version() + 1) + extension);
    }

    private int version() {
        String name = new Path(base.metadataFileLocation()).getName();
        Matcher found = VERSION.matcher(name);
        if (!found.matches()) {
            throw new IllegalArgumentException("%s: %s is no version of a Hadoop table".formatted(location, name));
        }
        return Integer.parseInt(found.group(1));
    }

    private Path metadata(String name) {
        return new Path(new Path(base.metadataFileLocation()).getParent(), name);
    }

    /** Writes the staged version under other names, and adds the operations that make it the table's newest one. */
    void write(List<Operation> into) throws IOException {
        if (!isChanged()) {
            return;
        }
        String extension = TableMetadataParser.getFileExtension(
                current.property(TableProperties.METADATA_COMPRESSION, TableProperties.METADATA_COMPRESSION_DEFAULT));
        Path draft = metadata(UUID.randomUUID() + extension);
        written.add(draft);
        TableMetadataParser.write(current, io().newOutputFile(draft.toString()));
        into.add(new Operation.Rename(files.path(draft), files.path(next(extension)), false));
        Path hint = metadata(UUID.randomUUID() + "-version-hint.temp");
        written.add(hint);
        try (FSDataOutputStream out = files.create(hint, false)) {
            out.write(Integer.toString(version() + 1).getBytes(StandardCharsets.UTF_8));
        }
        into.add(new Operation.Rename(files.path(hint), files.path(metadata(HINT)), true));
    }

    /** Returns whether the vector has renamed the files. */
    boolean isMoved() throws IOException {
        return files.bdt().stat(files.path(written.get(0))).isEmpty();
    }

    /** Deletes old versions, if the table wants that. */
    void applied() {
        if (isChanged()) {
            CatalogUtil.deleteRemovedMetadataFiles(io(), base, current);
        }
    }

    /** Deletes the metadata that was written for the staged version. */
    void abandon() {
        List<String> needless = new ArrayList<>();
        written.forEach(each -> needless.add(each.toString()));
        for (Snapshot snapshot : current.snapshots()) {
            if (base.snapshot(snapshot.snapshotId()) == null && snapshot.manifestListLocation() != null) {
                for (ManifestFile manifest : snapshot.allManifests(io())) {
                    if (Long.valueOf(snapshot.snapshotId()).equals(manifest.snapshotId())) {
                        needless.add(manifest.path());
                    }
                }
                needless.add(snapshot.manifestListLocation());
            }
        }
        CatalogUtil.deleteFiles(io(), needless, "staged metadata");
    }
}
