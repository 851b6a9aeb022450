// SPDX-License-Identifier: Apache-2.0
package io.packing.hbase.tool;

import io.packing.hbase.check.FileLengths;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** A tool that lists or deletes all files of the default file system: {@code list} or {@code clear}. */
public final class NamespaceTool {
    private NamespaceTool() {}

    public static void main(String[] args) throws IOException {
        try (FileSystem files = FileSystem.get(new Configuration())) {
            Path root = new Path(Path.SEPARATOR);
            switch (args[0]) {
                case "list" -> list(files, root);
                case "clear" -> clear(files, root);
                default -> throw new IllegalArgumentException("neither list nor clear: " + args[0]);
            }
        }
    }

    private static void clear(FileSystem files, Path root) throws IOException {
        for (FileStatus status : files.listStatus(root)) {
            files.delete(status.getPath(), true);
        }
    }

    private static void list(FileSystem files, Path folder) throws IOException {
        for (FileStatus status : files.listStatus(folder)) {
            if (status.isDirectory()) {
                list(files, status.getPath());
            } else {
                System.out.println(FileLengths.line(status.getPath().toUri().getPath(), status.getLen()));
            }
        }
    }
}
