// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.client;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;

/** The mount as a Hadoop application uses it: Hadoop's calls only. */
final class HadoopDoor implements Door {
    private static final int BUFFER_BYTES = 4 << 10;

    private final FileSystem files;

    HadoopDoor(String master, Map<String, String> options) throws IOException {
        Configuration configuration = new Configuration(false);
        options.forEach(configuration::set);
        configuration.set("fs.packing.impl", "io.packing.hadoop.PackingHadoopFileSystem");
        files = FileSystem.newInstance(URI.create("packing://" + master + "/"), configuration);
    }

    @Override
    public void create(String path, byte[] bytes, int mode, boolean overwrite) throws IOException {
        // Without try-with-resources: after a failed write, its close would claim the bytes written so far.
        FSDataOutputStream out = files.create(
                new Path(path), new FsPermission((short) mode), overwrite, BUFFER_BYTES, (short) 1, 1 << 20, null);
        int half = bytes.length / 2;
        out.write(bytes, 0, half);
        out.write(bytes, half, bytes.length - half);
        out.close();
    }

    @Override
    public boolean delete(String path, boolean recursive) throws IOException {
        return files.delete(new Path(path), recursive);
    }

    @Override
    public boolean rename(String from, String to) throws IOException {
        return files.rename(new Path(from), new Path(to));
    }

    @Override
    public boolean mkdir(String path) throws IOException {
        return files.mkdirs(new Path(path));
    }

    @Override
    public boolean chmod(String path, int mode) throws IOException {
        files.setPermission(new Path(path), new FsPermission((short) mode));
        return true;
    }

    @Override
    public byte[] read(String path) throws IOException {
        try (FSDataInputStream in = files.open(new Path(path))) {
            return in.readAllBytes();
        }
    }

    @Override
    public byte[] read(String path, int offset, int length) throws IOException {
        byte[] bytes = new byte[length];
        int count = 0;
        try (FSDataInputStream in = files.open(new Path(path))) {
            while (count < length) {
                int n = in.read((long) offset + count, bytes, count, length - count);
                if (n < 0) {
                    break;
                }
                count += n;
            }
        }
        return Arrays.copyOf(bytes, count);
    }

    @Override
    public List<ClientReply.Entry> list(String directory) throws IOException {
        List<ClientReply.Entry> entries = new ArrayList<>();
        for (FileStatus status : files.listStatus(new Path(directory))) {
            entries.add(new ClientReply.Entry(
                    status.getPath().toUri().getPath(),
                    status.isDirectory(),
                    status.getPermission().toShort(),
                    status.getLen()));
        }
        return entries;
    }

    void close() throws IOException {
        files.close();
    }
}
