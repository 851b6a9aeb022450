package io.packing.hbase.tool;

import io.packing.hbase.check.FileLengths;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Lists or deletes files of the default file system: {@code list PATH} or {@code delete PATH}. */
public final class NamespaceTool {
    private NamespaceTool() {}

    public static void main(String[] args) throws IOException {
        try (var files = FileSystem.get(new Configuration())) {
            var path = new Path(args[1]);
            switch (args[0]) {
                case "list" -> list(files, path);
                case "delete" -> files.delete(path, true);
                default -> throw new IllegalArgumentException("neither list nor delete: " + args[0]);
            }
        }
    }

    private static void list(FileSystem files, Path folder) throws IOException {
        for (var status : files.listStatus(folder)) {
            if (status.isDirectory()) {
                list(files, status.getPath());
            } else {
                System.out.println(FileLengths.line(status.getPath().toUri().getPath(), status.getLen()));
            }
        }
    }
}
