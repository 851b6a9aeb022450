// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.dedup;

/** A piece of a tar stream, as a recipe names it. */
sealed interface Step {
    /** Bytes in the tar stream. */
    long length();

    /** Bytes that stand in the recipe. */
    final class Literal implements Step {
        private final byte[] bytes;

        /** @param bytes the caller changes them no more */
        Literal(byte[] bytes) {
            this.bytes = bytes;
        }

        void copy(long from, byte[] into, int at, int count) {
            System.arraycopy(bytes, (int) from, into, at, count);
        }

        @Override
        public long length() {
            return bytes.length;
        }
    }

    /**
     * A shared file content.
     *
     * @param hex the SHA-256 of its bytes
     */
    record Content(String hex, long length) implements Step {}
}
