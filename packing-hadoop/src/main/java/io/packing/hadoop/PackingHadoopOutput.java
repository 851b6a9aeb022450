package io.packing.hadoop;

import io.packing.worker.PackingOutput;
import java.io.IOException;
import java.io.OutputStream;

/** A new file as Hadoop writes it. After a failed write its close gives the file up: half a file must not appear. */
final class PackingHadoopOutput extends OutputStream {
    private final PackingOutput output;
    private boolean failed;

    PackingHadoopOutput(PackingOutput output) {
        this.output = output;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
        boolean done = false;
        try {
            output.write(bytes, offset, count);
            done = true;
        } finally {
            if (!done) {
                failed = true;
            }
        }
    }

    @Override
    public void close() throws IOException {
        if (failed) {
            output.abort();
            throw new IOException("the file was given up: an earlier write of it failed");
        }
        output.close();
    }
}
