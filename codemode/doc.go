package codemode
