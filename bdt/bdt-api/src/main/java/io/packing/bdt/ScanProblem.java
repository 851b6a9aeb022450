package io.packing.bdt;

/**
 * What contradicts itself in a table.
 *
 * @param kind a word
 * @param path of the file, as far as there is one; empty: none
 * @param message what is wrong
 */
public record ScanProblem(String kind, String path, String message) {}
