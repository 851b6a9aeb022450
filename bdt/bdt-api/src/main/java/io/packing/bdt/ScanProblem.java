package io.packing.bdt;

/**
 * A contradiction in a table.
 *
 * @param kind a word
 * @param path of the file; empty: unknown
 * @param message of the problem
 */
public record ScanProblem(String kind, String path, String message) {}
