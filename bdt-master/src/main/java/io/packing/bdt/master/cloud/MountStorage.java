package io.packing.bdt.master.cloud;

import io.packing.bdt.master.table.Table;
import io.packing.store.ObjectStore;
import java.nio.file.Path;

/**
 * What a mount is stored in.
 *
 * @param mount its name
 * @param objects with its blobs, backups and journals
 * @param scratch a folder for temporary files on this disk
 */
public record MountStorage(String mount, Table table, ObjectStore objects, Path scratch) {}
