package io.packing.bdt.master;

/**
 * The latest session of a worker.
 *
 * @param floor claims of sessions before this epoch are lost, unless they were reclaimed
 */
record SessionRow(String worker, long epoch, String address, long floor) {
    byte[] encode() {
        return new Bytes.Out().number(epoch).text(address).number(floor).toBytes();
    }

    static SessionRow decode(String worker, byte[] bytes) {
        Bytes.In in = new Bytes.In(bytes);
        return new SessionRow(worker, in.number(), in.text(), in.number());
    }
}
