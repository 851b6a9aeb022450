// SPDX-License-Identifier: Apache-2.0
package io.packing.htfs;

/** The hint for an application's buffer size, which is nearly always the configured one, and so is made once. */
final class BufferHint {
    /** The last size with its text; replaced as a whole, so that no thread sees half of it. */
    private volatile Made last = new Made(0, "buffer=0");

    private record Made(int size, String text) {}

    String of(int size) {
        Made made = last;
        if (made.size() != size) {
            made = new Made(size, "buffer=" + size);
            last = made;
        }
        return made.text();
    }
}
