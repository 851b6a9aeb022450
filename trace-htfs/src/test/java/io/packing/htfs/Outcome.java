// SPDX-License-Identifier: Apache-2.0
package io.packing.htfs;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.RemoteIterator;

/** The result of a call as text, without the parts that differ from run to run. */
final class Outcome {
    private Outcome() {}

    static String text(Object value) throws IOException {
        return String.valueOf(plain(value));
    }

    private static Object plain(Object value) throws IOException {
        if (value instanceof FileStatus status) {
            return status.getPath() + " " + status.getLen() + " " + status.getPermission() + " " + status.isFile();
        }
        if (value instanceof Object[] all) {
            List<Object> texts = new ArrayList<>();
            for (Object one : all) {
                texts.add(plain(one));
            }
            return texts;
        }
        if (value instanceof RemoteIterator<?> all) {
            List<Object> texts = new ArrayList<>();
            while (all.hasNext()) {
                texts.add(plain(all.next()));
            }
            return texts;
        }
        if (value instanceof byte[] bytes) {
            return Arrays.toString(bytes);
        }
        return value;
    }
}
