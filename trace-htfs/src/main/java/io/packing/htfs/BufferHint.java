package io.packing.htfs;

/** The hint for the buffer that an application asks for: nearly always that of its configuration, and so made once. */
final class BufferHint {
    /** The size before, with its text; replaced as a whole, so that no thread sees half of it. */
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
