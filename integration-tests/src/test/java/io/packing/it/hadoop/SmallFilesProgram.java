// SPDX-License-Identifier: Apache-2.0
package io.packing.it.hadoop;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/**
 * An application's operations on small files through {@link FileSystem}. Arguments: {@code write|read DIRECTORY COUNT},
 * or {@code change DIRECTORY}. It prints one line after a success, and fails at the first difference.
 */
public final class SmallFilesProgram {
    private final FileSystem files;
    private final Path directory;

    private SmallFilesProgram(FileSystem files, Path directory) {
        this.files = files;
        this.directory = directory;
    }

    public static void main(String[] args) throws IOException {
        Path directory = new Path(args[1]);
        SmallFilesProgram program = new SmallFilesProgram(directory.getFileSystem(new Configuration()), directory);
        switch (args[0]) {
            case "write" -> program.write(Integer.parseInt(args[2]));
            case "read" -> program.read(Integer.parseInt(args[2]));
            case "change" -> program.change();
            default -> throw new IllegalArgumentException("unknown action " + args[0]);
        }
        System.out.println("done: " + String.join(" ", args));
        // The client's threads are not worth a wait.
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }

    private static byte[] content(int number) {
        return "content of file %d, ".formatted(number).repeat(100 + number).getBytes(StandardCharsets.UTF_8);
    }

    private Path file(int number) {
        return new Path(directory, "f%05d".formatted(number));
    }

    private void write(int count) throws IOException {
        check(files.mkdirs(directory), "mkdirs");
        for (int i = 0; i < count; i++) {
            try (FSDataOutputStream output = files.create(file(i), false)) {
                output.write(content(i));
            }
        }
    }

    private void read(int count) throws IOException {
        FileStatus[] listed = files.listStatus(directory);
        check(listed.length == count, "listed " + listed.length);
        RemoteIterator<LocatedFileStatus> located = files.listFiles(directory, true);
        int seen = 0;
        for (; located.hasNext(); seen++) {
            check(located.next().isFile(), "a file");
        }
        check(seen == count, "iterated " + seen);
        for (int i = 0; i < count; i++) {
            byte[] want = content(i);
            check(files.getFileStatus(file(i)).getLen() == want.length, "length of " + i);
            try (FSDataInputStream input = files.open(file(i))) {
                check(Arrays.equals(input.readAllBytes(), want), "content of " + i);
                byte[] part = new byte[64];
                input.readFully(want.length / 2, part);
                check(Arrays.mismatch(part, 0, 64, want, want.length / 2, want.length / 2 + 64) < 0, "part of " + i);
                input.seek(want.length - 1L);
                check(input.read() == want[want.length - 1], "last byte of " + i);
                check(input.read() == -1, "end of " + i);
            }
        }
    }

    /** Renames the first file and a directory, overwrites the second file, deletes the third. */
    private void change() throws IOException {
        Path below = new Path(directory, "below");
        check(files.mkdirs(below), "mkdirs");
        check(files.rename(file(0), new Path(below, "renamed")), "rename of a file");
        check(files.rename(below, new Path(directory, "moved")), "rename of a directory");
        try (FSDataOutputStream output = files.create(file(1), true)) {
            output.write("new".getBytes(StandardCharsets.UTF_8));
        }
        check(files.delete(file(2), false), "delete");
        check(!files.exists(file(0)) && !files.exists(file(2)), "what is gone is gone");
        try (FSDataInputStream input = files.open(file(1))) {
            check(new String(input.readAllBytes(), StandardCharsets.UTF_8).equals("new"), "overwritten");
        }
        try (FSDataInputStream input = files.open(new Path(directory, "moved/renamed"))) {
            check(Arrays.equals(input.readAllBytes(), content(0)), "renamed");
        }
    }

    private static void check(boolean good, String what) {
        if (!good) {
            throw new IllegalStateException("not as expected: " + what);
        }
    }
}
