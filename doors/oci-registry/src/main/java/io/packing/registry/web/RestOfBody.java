// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.web;

import java.io.IOException;
import java.io.InputStream;

/** The rest of the body of a request that is answered: a client reads the answer only when the server has read it. */
public final class RestOfBody {
    private static final int BUFFER = 64 << 10;

    private RestOfBody() {}

    /**
     * Skips what is left of a body.
     *
     * @param most bytes that are skipped
     * @return true if that was all, or the client has ended its request; the connection has to be cut otherwise
     */
    public static boolean skip(InputStream rest, int most) {
        byte[] unwanted = new byte[BUFFER];
        try {
            for (int left = most; left > 0; ) {
                int n = rest.read(unwanted);
                if (n < 0) {
                    return true;
                }
                left -= n;
            }
        } catch (IOException e) {
            // The client has ended its request; it may still read the answer.
            return true;
        }
        return false;
    }
}
